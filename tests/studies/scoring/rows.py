"""A small dataset to score: three images, two systems, pairs and single ratings."""

from studies.enums import TaskKind
from studies.models import (
    Candidate,
    CaptionSet,
    Dataset,
    Image,
    Item,
    Reference,
    ReferenceChoice,
    ReferenceSet,
    Study,
    System,
    Task,
)
from tests.factories.studies import NOW

REFERENCES = {
    "dog": ("a dog runs", "the  dog barks", "a brown animal"),
    "cat": ("a cat sleeps", "a cat", "the cat naps"),
    "sea": ("blue water",),
}
CANDIDATES = {
    "dog": ("a dog runs", "a dog"),
    "cat": ("the cat\tnaps", "a cat sleeps"),
    "sea": ("the sea", "water"),
}
SYSTEMS = ("first", "second")


def make_rows(name: str = "rows", *, protocol: str = "composite@1") -> Study:
    """Make a rating study whose items are the candidates of the first system for `dog` and `cat`."""
    dataset = Dataset.objects.create(name=name, title=name, created_at=NOW)
    systems = [System.objects.create(dataset=dataset, name=system) for system in SYSTEMS]
    study = Study.objects.create(
        dataset=dataset, name=name, title=name, kind=TaskKind.RATING, protocol=protocol, created_at=NOW
    )
    for key, texts in REFERENCES.items():
        image = Image.objects.create(dataset=dataset, key=key)
        for position, text in enumerate(texts):
            Reference.objects.create(image=image, position=position, text=text)
        for system, text in zip(systems, CANDIDATES[key], strict=True):
            caption_set = CaptionSet.objects.create(image=image, system=system)
            Candidate.objects.create(
                dataset=dataset,
                image=image,
                system=system,
                caption_set=caption_set,
                key=f"{key}-{system.name}",
                text=text,
            )
    for position, key in enumerate(("dog", "cat")):
        add_item(study, key, position=position)
    return study


def add_item(study: Study, key: str, *, position: int, other: bool = False) -> Item:
    """Add an item on the first system's candidate for an image, with `other` against the second's."""
    candidates = list(Candidate.objects.filter(dataset=study.dataset, image__key=key).order_by("pk"))
    return Item.objects.create(
        task=Task.objects.create(study=study, position=position),
        position=0,
        key=f"{key}-{position}",
        image=candidates[0].image,
        candidate=candidates[0],
        other_candidate=candidates[1] if other else None,
    )


def make_reference_set(
    dataset: Dataset, chosen: dict[str, tuple[int, ...]], *, name: str = "shipped", part: str = "", alternative: int = 0
) -> None:
    """Choose references by candidate key and position."""
    reference_set, _ = ReferenceSet.objects.get_or_create(dataset=dataset, name=name, part=part)
    for key, positions in chosen.items():
        candidate = Candidate.objects.get(dataset=dataset, key=key)
        for place, position in enumerate(positions):
            reference = Reference.objects.get(image=candidate.image, position=position)
            ReferenceChoice.objects.create(
                reference_set=reference_set,
                candidate=candidate,
                reference=reference,
                alternative=alternative,
                position=place,
            )

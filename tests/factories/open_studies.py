"""Factories of studies that raters can join: designed, with image files, and open."""

from functools import cache
from io import BytesIO
from itertools import cycle

from django.core.files.base import ContentFile
from PIL import Image as Picture

from studies.collection.lifecycle import open_study
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind
from studies.models import Candidate, CaptionSet, Image, Item, Reference, StudyVersion, System, Task
from tests.factories.studies import NOW, make_study

SCALE = (
    ScalePoint(1, "Unrelated to the image"),
    ScalePoint(2, "Somewhat related"),
    ScalePoint(3, "Minor mistakes"),
    ScalePoint(4, "Describes it without any mistake"),
)
DESIGNS = {
    TaskKind.RATING: {"question": "How well does the caption describe the image?", "scale": SCALE},
    TaskKind.PAIRWISE: {"question": "Which caption describes the image better?", "allows_no_preference": True},
    TaskKind.SET_RATING: {"question": "How diverse is each set of captions?"},
    TaskKind.TURING: {"question": "Did a person or a machine write this caption?"},
    TaskKind.BEST_WORST: {"question": "Which caption describes the image best, and which worst?"},
    TaskKind.CAPTION: {"question": "Describe the image in one sentence."},
}
TEXTS = {
    "instructions": "Look at the image first.\n\nThen read every caption to its end.",
    "consent": "You will judge captions for research at an example university.\n\nYou can stop at any time.",
    "thanks": "Your answers help to find out which captions people prefer.",
}
SETS = {
    "human": ("A brown dog leaps over a log.", "A dog is jumping.", "Dog in mid-air above a fallen tree."),
    "beam": ("A dog jumping over a log.", "A dog jumping over a log in the woods.", "A dog jumps over a log."),
    "nucleus": ("A dog flies across the forest.", "Two logs and an animal.", "A brown dog leaping."),
}


def make_open_study(
    name="study", *, kind=TaskKind.RATING, n_tasks=2, n_items=1, has_files=True, has_anchors=False, **design
):
    """Make an open study of a kind; `design` changes fields of its `StudyDesign`."""
    study = make_designed_study(
        name, kind=kind, n_tasks=n_tasks, n_items=n_items, has_files=has_files, has_anchors=has_anchors, **design
    )
    open_study(study, now=NOW)
    return study


def make_designed_study(
    name="study", *, kind=TaskKind.RATING, n_tasks=2, n_items=1, has_files=True, has_anchors=False, **design
):
    """Make a draft with a whole design.

    A task has `n_items` items, or of caption sets and of captions to compare always three; `has_files` gives its image
    a file, `has_anchors` lets its items be judged by a reference.
    """
    study = make_study(name, kind=kind, n_tasks=0)
    # A study by whose panel raters are known must say for how long.
    kept = {"retention_days": 90} if "panel" in design else {}
    whole = StudyDesign(**{**TEXTS, **DESIGNS[kind], **kept, **design})
    StudyVersion.objects.create(study=study, number=2, design=whole.to_json(), created_at=NOW)
    systems = [System.objects.create(dataset=study.dataset, name=f"{name}-{system}") for system in SETS]
    images = _make_images(study, n_images=n_tasks, has_files=has_files)
    captions = _make_captions(study, images=images, systems=systems)
    _make_tasks(study, images=images, captions=captions, n_items=n_items)
    if has_anchors:
        for reference in Reference.objects.filter(image__in=images):
            Item.objects.filter(image=reference.image_id).update(anchor=reference)
    return study


def draw_picture(position=0):
    """Return the bytes of a small PNG of one colour."""
    return _draw((40 + 60 * (position % 3), 110, 150))


@cache
def _draw(colour):
    buffer = BytesIO()
    Picture.new("RGB", (480, 320), colour).save(buffer, "PNG")
    return buffer.getvalue()


def _make_images(study, *, n_images, has_files):
    """Make images with a reference each."""
    images = [Image(dataset=study.dataset, key=f"image-{position}") for position in range(n_images)]
    for position, image in enumerate(images):
        if has_files:
            image.file.save(f"{study.name}-{position}.png", ContentFile(draw_picture(position)), save=False)
    Image.objects.bulk_create(images)
    Reference.objects.bulk_create(
        Reference(image=image, position=0, text=f"Reference of image {position}.")
        for position, image in enumerate(images)
    )
    return images


def _make_captions(study, *, images, systems):
    """Make a caption set of each system for each image; return each image's lists of captions."""
    sets = CaptionSet.objects.bulk_create(
        CaptionSet(image=image, system=system) for image in images for system in systems
    )
    captions = Candidate.objects.bulk_create(
        Candidate(
            dataset=study.dataset,
            image=each.image,
            system=each.system,
            caption_set=each,
            key=f"{each.system.name}-{number // len(SETS)}-{place}",
            text=text,
        )
        for number, (each, texts) in enumerate(zip(sets, cycle(SETS.values()), strict=False))
        for place, text in enumerate(texts)
    )
    of_set = {}
    for caption in captions:
        of_set.setdefault(caption.caption_set_id, []).append(caption)
    lists = [of_set[each.pk] for each in sets]
    return [lists[start : start + len(SETS)] for start in range(0, len(lists), len(SETS))]


def _make_tasks(study, *, images, captions, n_items):
    tasks = Task.objects.bulk_create(Task(study=study, position=position) for position in range(len(images)))
    Item.objects.bulk_create(
        Item(task=task, position=number, key=f"item-{task.position}-{number}", image=image, **fields)
        for task, image, lists in zip(tasks, images, captions, strict=True)
        for number, fields in enumerate(_choose_judged(study.kind, lists, n_items=n_items))
    )


def _choose_judged(kind, lists, *, n_items):
    """Return what the items of a task judge: of a kind with `n_items`, the first captions of the first systems."""
    judged = {
        TaskKind.RATING: [{"candidate": texts[0]} for texts in lists[:n_items]],
        TaskKind.PAIRWISE: [
            {"candidate": texts[0], "other_candidate": lists[1][number]} for number, texts in enumerate(lists[:n_items])
        ],
        TaskKind.SET_RATING: [{"caption_set": texts[0].caption_set} for texts in lists],
        TaskKind.TURING: [{"candidate": texts[0]} for texts in lists[:n_items]],
        TaskKind.BEST_WORST: [{"candidate": texts[0]} for texts in lists],
        TaskKind.CAPTION: [{}] * n_items,
    }
    return judged[kind]

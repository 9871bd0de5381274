"""Factories of studies that raters can join: designed, with image files, and open."""

from io import BytesIO

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
    for position in range(n_tasks):
        task = _make_task(study, position=position, systems=systems, n_items=n_items, has_files=has_files)
        if has_anchors:
            Item.objects.filter(task=task).update(
                anchor=Reference.objects.get(image__key=f"image-{position}", image__dataset=study.dataset)
            )
    return study


def draw_picture(position=0):
    """Return the bytes of a small PNG of one colour."""
    buffer = BytesIO()
    Picture.new("RGB", (480, 320), (40 + 60 * (position % 3), 110, 150)).save(buffer, "PNG")
    return buffer.getvalue()


def _make_task(study, *, position, systems, n_items, has_files):
    image = Image.objects.create(dataset=study.dataset, key=f"image-{position}")
    if has_files:
        image.file.save(f"{study.name}-{position}.png", ContentFile(draw_picture(position)))
    Reference.objects.create(image=image, position=0, text=f"Reference of image {position}.")
    task = Task.objects.create(study=study, position=position)
    sets = [CaptionSet.objects.create(image=image, system=system) for system in systems]
    captions = [
        [
            Candidate.objects.create(
                dataset=study.dataset,
                image=image,
                system=caption_set.system,
                caption_set=caption_set,
                key=f"{caption_set.system.name}-{position}-{number}",
                text=text,
            )
            for number, text in enumerate(texts)
        ]
        for caption_set, texts in zip(sets, SETS.values(), strict=True)
    ]
    judged = {
        TaskKind.RATING: [{"candidate": texts[0]} for texts in captions[:n_items]],
        TaskKind.PAIRWISE: [
            {"candidate": texts[0], "other_candidate": captions[1][number]}
            for number, texts in enumerate(captions[:n_items])
        ],
        TaskKind.SET_RATING: [{"caption_set": caption_set} for caption_set in sets],
        TaskKind.TURING: [{"candidate": texts[0]} for texts in captions[:n_items]],
        TaskKind.BEST_WORST: [{"candidate": texts[0]} for texts in captions],
        TaskKind.CAPTION: [{}] * n_items,
    }
    for number, fields in enumerate(judged[study.kind]):
        Item.objects.create(task=task, position=number, key=f"item-{position}-{number}", image=image, **fields)
    return task

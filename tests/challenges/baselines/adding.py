"""Baselines of tests: training captions, and shortcuts for adding them."""

import json

from django.core.files.base import ContentFile

from challenges.baselines.adding import NewBaseline, add_baseline
from challenges.enums import BaselineKind
from studies.access.audit import COMMAND_LINE
from tests.challenges.challenges import write_results
from tests.factories.studies import NOW

TRAINING = {"1": ("A dog runs.", "a dog!"), "2": ("a dog runs", "Two cats."), "3": ("a cat", "A dog.")}
"""As tokens "a dog" and "a dog runs" occur twice each; the first in alphabetical order is "a dog"."""


def write_training(captions=None):
    """Return training captions in COCO's JSON."""
    rows = [(key, text) for key, texts in (captions or TRAINING).items() for text in texts]
    annotations = [{"id": n, "image_id": key, "caption": text} for n, (key, text) in enumerate(rows)]
    return json.dumps({"annotations": annotations}).encode()


def add(phase, kind, *, content=None, name="", seed=1, now=NOW):
    """Add a baseline, by default with a file that its kind needs."""
    kind = BaselineKind(kind)
    if content is None and kind != BaselineKind.HUMAN:
        content = write_training() if kind == BaselineKind.COMMON_CAPTION else write_results()
    file = None if content is None else ContentFile(content, name="given.json")
    given_name = name or ("Given" if kind == BaselineKind.FILE else "")
    new = NewBaseline.make(kind, name=given_name, seed=seed, file=file)
    return add_baseline(phase, new, actor=COMMAND_LINE, now=now)


def read_captions(submission):
    """Return the captions in the file of a submission by image."""
    submission.refresh_from_db()
    with submission.file.open("rb") as file:
        found: dict[str, list[str]] = {}
        for each in json.load(file):
            found.setdefault(str(each["image_id"]), []).append(each["caption"])
    return found

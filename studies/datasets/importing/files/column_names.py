"""Common names of columns, by which the columns of a table are recognised."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

_CAPTIONS: Final = ("caption", "text", "sentence", "description", "prediction", "hypothesis", "output", "generated")
_WRITERS: Final = ("model", "method", "captioner")
_NAMES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "image": (
            *("img", "imageid", "imgid", "imagekey", "imagename", "imagefile", "imagepath", "imgname", "imgpath"),
            *("filename", "file", "picture", "photo", "pictureid", "photoid"),
        ),
        "candidate": (
            *_CAPTIONS,
            *("generatedcaption", "candidatecaption", "modeloutput", "captiontext"),
            *(f"{name}{end}" for name in ("candidate", *_CAPTIONS) for end in "1a"),
        ),
        "system": (*_WRITERS, "modelname", "systemname", *(f"{n}{end}" for n in ("system", *_WRITERS) for end in "1a")),
        "other_candidate": (
            *(f"other{name}" for name in _CAPTIONS),
            *(f"{name}{end}" for name in ("candidate", *_CAPTIONS) for end in "2b"),
        ),
        "other_system": (
            *(f"other{name}" for name in _WRITERS),
            *(f"{name}{end}" for name in ("system", *_WRITERS) for end in "2b"),
        ),
        "category": ("class",),
        "expected": ("expectedanswer", "correctanswer"),
        "feedback": ("explanation",),
        "value": ("score", "rating", "judgment", "judgement", "humanscore", "humanrating", "label", "vote"),
        "rater": ("annotator", "worker", "raterid", "annotatorid", "workerid"),
        "criterion": ("dimension", "aspect"),
    }
)
"""Field -> other names of its column, in letters and digits only; the first that a table has is taken."""


def guess_columns(columns: Sequence[str], *, fields: Sequence[str]) -> dict[str, str]:
    """Return the column of each field that is recognised by its name; no column is used twice.

    >>> guess_columns(["Image ID", "text", "model"], fields=["image", "candidate", "system"])
    {'image': 'Image ID', 'candidate': 'text', 'system': 'model'}
    """
    free = {_simplify(column): column for column in reversed(columns)}
    found: dict[str, str] = {}
    # A column of the field's own name is taken before the other names are tried.
    for names in ({field: (_simplify(field),) for field in fields}, _NAMES):
        for field in fields:
            name = next((each for each in names.get(field, ()) if each in free), None)
            if name is not None and field not in found:
                found[field] = free.pop(name)
    return {field: found[field] for field in fields if field in found}


def guess_reference_columns(columns: Sequence[str]) -> dict[str, str]:
    """Return the columns `image` and `reference` of a table of references, where captions are references.

    >>> guess_reference_columns(["img", "text"])
    {'image': 'img', 'reference': 'text'}
    """
    found = guess_columns(columns, fields=["image", "reference", "candidate"])
    text = found.pop("candidate", "")
    return found if "reference" in found or not text else {**found, "reference": text}


def _simplify(column: str) -> str:
    return re.sub(r"[^a-z0-9]", "", column.lower())

"""The task kinds, one file each: the form, its templates, and the conversion of answers to judgments.

The file and the form of a kind are named after its member of `TaskKind`: `set_rating.py` contains `SetRatingForm`.
"""

from importlib import import_module
from types import MappingProxyType
from typing import Final

from annotation_ui.kinds.base import TaskForm
from studies.enums import TaskKind


def _load_form(kind: TaskKind) -> type[TaskForm]:
    form: type[TaskForm] = getattr(import_module(f"annotation_ui.kinds.{kind}"), f"{kind.title().replace('_', '')}Form")
    return form


KINDS: Final[MappingProxyType[str, type[TaskForm]]] = MappingProxyType({kind: _load_form(kind) for kind in TaskKind})

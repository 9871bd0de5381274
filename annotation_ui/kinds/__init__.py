"""The task kinds. One file a kind: its form, its templates, and how an answer becomes judgments.

The file of a kind is named as its member of `TaskKind`, and the form in it too: `set_rating.py` has `SetRatingForm`.
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

"""Parts of a form that are shown apart."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from django.forms.boundfield import BoundField


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """A group of fields; `visible_fields` is named as in forms, so that form templates accept groups too."""

    visible_fields: Sequence[BoundField]
    _: KW_ONLY
    name: str = ""
    legend: str = ""

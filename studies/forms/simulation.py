"""How a simulation is to be played."""

from typing import Any, Final

from django import forms

from studies.design.design import StudyDesign
from studies.enums import PanelKind

MOST_RATERS: Final = 200


class SimulationForm(forms.Form):
    """Who comes, and from where."""

    panel = forms.ChoiceField(
        label="Panel",
        choices=PanelKind.choices,
        help_text="Another one than the design's gets a completion code for each outcome.",
    )
    raters = forms.IntegerField(label="Raters", initial=30, min_value=1, max_value=MOST_RATERS)
    seed = forms.IntegerField(
        label="Seed", initial=0, min_value=0, max_value=2**31 - 1, help_text="Fixes who comes how and answers what."
    )

    def __init__(self, data: Any = None, *, design: StudyDesign) -> None:
        super().__init__(data, initial={"panel": design.panel.kind})

"""The form for the options of a simulation."""

from typing import Any, Final

from django import forms

from studies.design.study_design import StudyDesign
from studies.enums import PanelKind

MOST_RATERS: Final = 200


class SimulationForm(forms.Form):
    """The number of simulated raters, and their panel."""

    panel = forms.ChoiceField(
        label="Panel",
        choices=PanelKind.choices,
        help_text="If it differs from the panel of the design, a completion code is generated for each outcome.",
    )
    raters = forms.IntegerField(label="Raters", initial=30, min_value=1, max_value=MOST_RATERS)
    seed = forms.IntegerField(
        label="Seed",
        initial=0,
        min_value=0,
        max_value=2**31 - 1,
        help_text="Determines the behaviour and answers of the simulated raters.",
    )

    def __init__(self, data: Any = None, *, design: StudyDesign) -> None:
        super().__init__(data, initial={"panel": design.panel.kind})

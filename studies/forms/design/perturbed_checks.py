"""The form for checks with perturbed captions."""

from typing import Final

from django import forms

from metrics_plugins.text.distortions import Distortion
from studies.design.perturbed_checks import DISTORTIONS
from studies.forms.confirming import ConfirmableForm

_WORDS: Final = {
    Distortion.RANDOM_CAPTION: "the caption of another image",
    Distortion.WORD_PERMUTATION: "the words in another order",
    Distortion.RANDOM_WORDS: "words replaced by words of other captions",
}


class PerturbedChecksForm(ConfirmableForm):
    """How many captions are perturbed, in which ways, and by which seed."""

    number = forms.IntegerField(label="Number of checks", min_value=1, max_value=10_000)
    distortions = forms.TypedMultipleChoiceField(
        label="Perturbations",
        choices=[(each.value, _WORDS[each]) for each in DISTORTIONS],
        coerce=Distortion,
        initial=[each.value for each in DISTORTIONS],
        widget=forms.CheckboxSelectMultiple,
    )
    seed = forms.IntegerField(
        label="Seed",
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text="The same seed draws the same captions; 0 if empty.",
    )

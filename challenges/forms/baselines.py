"""The form for a new baseline."""

from typing import Any

from django import forms

from challenges.baselines.adding import LONGEST_NAME, MOST_SEED, UPLOADED, NewBaseline
from challenges.enums import BaselineKind


class BaselineForm(forms.Form):
    """A new baseline, with the file that its kind needs."""

    kind = forms.ChoiceField(label="Captions", choices=UPLOADED)
    name = forms.CharField(
        max_length=LONGEST_NAME,
        required=False,
        help_text="Shown on the leaderboard, even while names of teams are hidden. By default, the kind; required for "
        "a given file.",
    )
    file = forms.FileField(
        required=False,
        help_text="Common caption: captions of training images, in COCO's JSON. Given file: results with captions of "
        "the images of the phase, as teams upload them. Human: none.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MOST_SEED,
        initial=1,
        help_text="Human only: determines which reference of each image becomes its caption.",
    )

    @property
    def new(self) -> NewBaseline:
        """The baseline of a valid form."""
        given: dict[str, Any] = dict(self.cleaned_data)
        return NewBaseline.make(BaselineKind(given.pop("kind")), **given)

"""The form that asks for captions of a dataset's images."""

from typing import Any, Final

from django import forms

from captioning.api import CaptionerError, Decoding
from studies.datasets.captioners.choices import list_choices

MOST_CAPTIONS: Final = 100


class CaptioningForm(forms.Form):
    """The captioner, its decoding, and the name of the new system."""

    captioner = forms.ChoiceField(
        label="Captioner",
        help_text="Captioners that need no training, and those that the operator of this site has trained.",
    )
    system = forms.CharField(
        label="Name of the system", max_length=100, help_text="The captions become candidates of a new system."
    )
    decoding = forms.CharField(
        label="Decoding",
        required=False,
        max_length=200,
        help_text="<code>greedy</code>, <code>beam,beam_size=5</code> or <code>sample,temperature=0.7</code>; only for "
        "captioners with probabilities. Empty: greedy, with at most as many words as in training.",
    )
    n = forms.IntegerField(
        label="Captions per image",
        initial=1,
        min_value=1,
        max_value=MOST_CAPTIONS,
        help_text="Several captions of an image are a caption set.",
    )
    seed = forms.IntegerField(
        label="Seed", initial=0, min_value=0, max_value=2**31 - 1, help_text="Determines the sampled captions."
    )
    allow_empty = forms.BooleanField(
        label="Keep empty captions",
        required=False,
        help_text="A network sometimes samples an empty caption; without this option, the job then fails.",
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["captioner"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the type checker
        field.choices = [(choice.value, choice.label) for choice in list_choices()]

    def clean_decoding(self) -> str:
        text: str = self.cleaned_data["decoding"]
        try:
            return str(Decoding.parse(text)) if text else ""
        except CaptionerError as error:
            raise forms.ValidationError(f"{error}.") from error


class CollectingForm(forms.Form):
    """The system that represents the people who wrote captions."""

    system = forms.CharField(
        label="Name of the system", max_length=100, help_text="Represents the people who wrote the captions."
    )

    def __init__(self, data: Any = None) -> None:
        # The form for captioners on the same page has a field of this name.
        super().__init__(data, auto_id="collect-%s", initial={"system": "people"})

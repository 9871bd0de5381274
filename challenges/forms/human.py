"""Forms for human studies of a phase."""

from typing import Any

from django import forms

from challenges.enums import HumanCriterion
from challenges.human.making import MOST_IMAGES, MOST_RATERS, HumanPlan, list_entries
from challenges.models import Phase, Submission


class EntryField(forms.ModelMultipleChoiceField):
    """Entries of a board, shown by the names of their teams and files."""

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, submission: Submission) -> str:
        return f"{submission.team.name} ({submission.name})"


class HumanStudyForm(forms.Form):
    """A new human study."""

    criterion = forms.ChoiceField(label="What raters judge", choices=HumanCriterion.choices)
    n_images = forms.IntegerField(
        label="Images", min_value=1, max_value=MOST_IMAGES, initial=100, help_text="The same images for all entries."
    )
    raters_per_task = forms.IntegerField(
        label="Raters per caption or pair", min_value=1, max_value=MOST_RATERS, initial=1
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        initial=1,
        help_text="The same seed draws the same images, also for other criteria with the same entries.",
    )
    entries = EntryField(
        queryset=Submission.objects.none(), required=False, help_text="Leave empty for all entries of the leaderboard."
    )
    name = forms.SlugField(
        label="Name of the study",
        max_length=90,
        required=False,
        help_text="Used in URLs: letters, digits, hyphens, underscores. By default, the names of the challenge "
        "and the phase, and the criterion.",
    )

    def __init__(self, *args: Any, phase: Phase, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.phase = phase
        entries = Submission.objects.filter(pk__in=[each.pk for each in list_entries(phase)])
        self.fields["entries"].queryset = entries.select_related("team").order_by("team__name", "pk")

    @property
    def plan(self) -> HumanPlan:
        """The plan of the study, of a valid form."""
        given = dict(self.cleaned_data)
        ending = f"-{self.phase.slug}-{given['criterion']}".lower()
        given["name"] = given["name"] or f"{self.phase.challenge.slug[: 90 - len(ending)]}{ending}"
        return HumanPlan(submissions=frozenset(each.pk for each in given.pop("entries")), **given)


class SystemStudyForm(forms.Form):
    """The name of a study that correlates people with metrics."""

    name = forms.SlugField(
        label="Name of the study", max_length=90, help_text="Used in URLs: letters, digits, hyphens, underscores."
    )

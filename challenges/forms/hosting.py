"""Forms for new challenges, and for the actions of hosts."""

import re
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.validators import MaxValueValidator

from challenges.enums import EntryRule, ResultsVisibility
from challenges.hosting.choices import list_datasets, list_metrics
from challenges.models import Challenge, Phase
from studies.forms.fields.suggesting import SuggestedInput
from studies.models import Dataset

MOST_PHASES: Final = 3
_REFERENCES: Final = re.compile(r"(?P<name>[a-z0-9-]+)\s*(=\s*(?P<count>\d{1,4}))?")
_ZONES: Final = ("UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Shanghai")


class DatasetField(forms.ModelChoiceField):
    """A dataset, shown by its title."""

    def label_from_instance(self, dataset: Dataset) -> str:
        return f"{dataset.title} ({dataset.name})"


class MomentField(forms.DateTimeField):
    """A date and a time without a time zone, which another field gives."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


class ChallengeForm(forms.Form):
    """A new challenge, without its phases."""

    title = forms.CharField(max_length=200)
    slug = forms.SlugField(label="Name", max_length=40, help_text="Used in URLs: lower-case letters, digits, hyphens.")
    dataset = DatasetField(
        queryset=Dataset.objects.none(),
        to_field_name="name",
        help_text="The dataset of a study that you own. Participants cannot see its references.",
    )
    description = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 4}), help_text="Markdown.")
    terms = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Markdown. Everybody must accept them to take part.",
    )
    team_size = forms.IntegerField(label="Maximum members per team", min_value=1, max_value=10_000, initial=5)
    most_teams = forms.IntegerField(
        label="Maximum number of teams",
        min_value=1,
        max_value=10_000,
        initial=100,
        help_text="Limits what all teams together can learn about the references from scores.",
    )
    is_anonymous = forms.BooleanField(label="Hide the names of teams", required=False)

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dataset"].queryset = list_datasets(user)

    @property
    def plan(self) -> dict[str, Any]:
        """The fields of a plan of a challenge."""
        return {**self.cleaned_data, "dataset": self.cleaned_data["dataset"].name}


class PhaseForm(forms.Form):
    """A phase of a new challenge; the first metric and the first references rank."""

    title = forms.CharField(max_length=200)
    slug = forms.SlugField(label="Name", max_length=40, help_text="Used in URLs: lower-case letters, digits, hyphens.")
    time_zone = forms.CharField(max_length=64, initial="UTC", widget=SuggestedInput, help_text="For all its dates.")
    opens_at = MomentField(label="Opens")
    closes_at = MomentField(label="Closes")
    split = forms.SlugField(
        max_length=40,
        required=False,
        help_text="Part of the name of files, captions_SPLIT_ALGORITHM_results.json; the name of the phase if empty.",
    )
    captions_per_image = forms.IntegerField(min_value=1, max_value=10_000, initial=1)
    ranks_by = forms.ChoiceField(label="Ranking metric")
    metrics = forms.MultipleChoiceField(label="Other metrics", required=False, widget=forms.CheckboxSelectMultiple)
    references = forms.CharField(
        max_length=200,
        initial="all",
        help_text="Sets of references, such as c5=5, c40=40 for the first 5 and 40 of each image; a name without a "
        "number means all. The first set determines the rank.",
    )
    per_day = forms.IntegerField(label="Submissions per team and day", min_value=1, max_value=10_000, initial=5)
    in_all = forms.IntegerField(label="Submissions per team in total", min_value=1, max_value=10_000, initial=100)
    visibility = forms.ChoiceField(
        label="Who can see the results of all teams, besides the hosts",
        choices=ResultsVisibility.choices,
        initial=ResultsVisibility.PARTICIPANT,
    )
    decimals = forms.IntegerField(label="Decimals of scores", min_value=1, max_value=6, initial=3)
    entry_rule = forms.ChoiceField(
        label="Entry of a team on the leaderboard", choices=EntryRule.choices, initial=EntryRule.BEST
    )
    shows_intervals = forms.BooleanField(
        label="Show intervals and clusters on the leaderboard",
        required=False,
        help_text="They reveal more about the private references than scores alone.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(info.id, f"{info.id} ({info.title})") for info in list_metrics()]
        self.fields["metrics"].choices = self.fields["ranks_by"].choices = choices
        self.fields["ranks_by"].initial = "cider-d"
        self.fields["time_zone"].widget.suggestions = [(zone, zone) for zone in _ZONES]

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"]
        if zone not in available_timezones():
            raise forms.ValidationError(f"This must be a time zone such as Europe/Berlin, got {zone}")
        return zone

    def clean_references(self) -> list[dict[str, Any]]:
        parts = [part.strip() for part in self.cleaned_data["references"].split(",")]
        found = [_REFERENCES.fullmatch(part) for part in parts]
        if not all(found):
            raise forms.ValidationError("This must be a list of names with numbers, such as c5=5, c40=40")
        return [
            {"name": match["name"], **({"count": int(match["count"])} if match["count"] else {})}
            for match in found
            if match
        ]

    @property
    def plan(self) -> dict[str, Any]:
        """The fields of a plan of a phase."""
        given = dict(self.cleaned_data)
        zone = ZoneInfo(given["time_zone"])
        names = dict.fromkeys([given.pop("ranks_by"), *given.pop("metrics")])
        dates = {name: given[name].replace(tzinfo=zone) for name in ("opens_at", "closes_at")}
        return {**given, **dates, "metrics": tuple({"metric": name} for name in names)}


PhaseFormSet = forms.formset_factory(
    PhaseForm, min_num=1, extra=MOST_PHASES - 1, max_num=MOST_PHASES, absolute_max=MOST_PHASES, validate_min=True
)


class ReasonForm(forms.Form):
    """The reason of an action."""

    reason = forms.CharField(
        max_length=500, widget=forms.Textarea(attrs={"rows": 3}), help_text="Shown to everybody with the challenge."
    )


class DeadlineForm(ReasonForm):
    """A later end of a phase, in its time zone."""

    closes_at = MomentField(label="New deadline")

    field_order = ("closes_at", "reason")

    def __init__(self, *args: Any, phase: Phase, **kwargs: Any) -> None:
        zone = ZoneInfo(phase.time_zone)
        now = phase.closes_at.astimezone(zone).replace(tzinfo=None)
        super().__init__(*args, initial={"closes_at": now}, **kwargs)
        self.fields["closes_at"].help_text = f"In the time zone {phase.time_zone}; it is {now:%Y-%m-%d %H:%M} now."
        self.zone = zone

    def clean_closes_at(self) -> Any:
        return self.cleaned_data["closes_at"].replace(tzinfo=self.zone)


class PhaseField(forms.ModelChoiceField):
    """A phase, shown by its title and limits."""

    def label_from_instance(self, phase: Phase) -> str:
        return f"{phase.title} ({phase.per_day} per day, {phase.in_all} in total)"


class LimitForm(ReasonForm):
    """Higher limits of one team in a phase."""

    phase = PhaseField(queryset=Phase.objects.none(), to_field_name="slug", empty_label=None)
    per_day = forms.IntegerField(label="Submissions per day", min_value=1, validators=[MaxValueValidator(10_000)])
    in_all = forms.IntegerField(label="Submissions in total", min_value=1, validators=[MaxValueValidator(1_000_000)])

    field_order = ("phase", "per_day", "in_all", "reason")

    def __init__(self, *args: Any, challenge: Challenge, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["phase"].queryset = challenge.phases.all()


class CopyForm(forms.Form):
    """The name of a copy."""

    slug = forms.SlugField(label="Name of the copy", max_length=40, help_text="Used in URLs.")

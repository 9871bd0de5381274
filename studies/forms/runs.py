"""Forms for runs and for the parameters of a metric."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict

from metrics_plugins.api import FitsOn
from metrics_plugins.runtime import FileRoots
from metrics_plugins.runtime.sandbox import CatalogEntry, FormParameter
from studies.forms.confirming import ConfirmableForm
from studies.forms.fields.metric_boxes import MetricBoxes, group_by_family, select_boxes
from studies.models import Study
from studies.scoring.metric_choices import ParametersRefused, check_parameters
from studies.scoring.requested_runs.costs import MetricCost, spread_loading
from studies.scoring.requested_runs.options import MetricOption, install_all
from studies.shared.text import print_duration


class TrainingStudyField(forms.ModelChoiceField):
    """A study whose judgments can be used for training, shown by its title."""

    def label_from_instance(self, study: Study) -> str:
        return f"{study.title} ({study.name})"


class RunForm(ConfirmableForm):
    """The metrics of a run, out of those that can score the study; the recommended ones are selected."""

    metrics = forms.MultipleChoiceField(label="Metrics", widget=MetricBoxes)
    own_protocol = forms.BooleanField(
        label="Only for the protocol of this study",
        required=False,
        help_text="Otherwise, scores are computed for the protocols of all studies of the dataset.",
    )

    judging = TrainingStudyField(
        label="Judgments for fitting",
        queryset=Study.objects.none(),
        to_field_name="name",
        required=False,
        empty_label="this study, cross-fitted over images",
        help_text="For metrics that are fitted on judgments: use this study or another one.",
    )

    def __init__(
        self,
        *args: Any,
        options: Sequence[MetricOption],
        costs: Mapping[str, MetricCost] | None = None,
        training_studies: QuerySet[Study],
        **rest: Any,
    ) -> None:
        super().__init__(*args, **rest)
        offered = [option for option in options if option.is_offered]
        self.offered = [option.info.id for option in offered]
        """The ids of the metrics that can be chosen."""
        metrics = self.fields["metrics"]
        costs = costs or {}
        metrics.choices = group_by_family(offered, costs)
        metrics.initial = [option.info.id for option in offered if option.is_recommended]
        metrics.widget.pressed = self.initial.get("select", "")
        metrics.widget.attributes = {
            option.info.id: ({"data-recommended": ""} if option.is_recommended else {})
            | _describe_cost(costs.get(option.info.id))
            for option in offered
        }
        metrics.widget.cost = print_cost(self["metrics"].value() or (), costs)
        if any(option.info.fits_on is FitsOn.JUDGMENTS for option in offered):
            self.fields["judging"].queryset = training_studies
        else:
            del self.fields["judging"]
        enabled = [option for option in options if option.is_enabled]
        self.unfitted = [option.info.id for option in enabled if not option.is_fitted]
        """The metrics that are not offered, since they must be trained on captions first."""
        self.unavailable = [option for option in enabled if option.is_fitted and option.missing]
        """The metrics that are not offered, since they need something that is not installed."""

    @property
    def install(self) -> tuple[str, ...]:
        """The commands that install what the unavailable metrics need."""
        return install_all(self.unavailable)


def _describe_cost(cost: MetricCost | None) -> dict[str, str]:
    """Return the attributes from which a script adds up the cost of the selected boxes."""
    return {"data-seconds": f"{cost.rows:.3f}", "data-loading": f"{cost.loading:.3f}"} if cost else {}


def print_cost(metrics: Sequence[str], costs: Mapping[str, MetricCost]) -> str:
    """Return the estimated time of metrics as text; it says how many have no estimate."""
    n_unknown = sum(name not in costs for name in metrics)
    total = print_duration(sum(spread_loading({name: costs[name] for name in metrics if name in costs}).values()))
    return f"{total}, and unknown for {n_unknown}" if n_unknown else total


def select_metrics(data: QueryDict, options: Sequence[MetricOption]) -> dict[str, Any]:
    """Return the initial values of a form of which a button selected metrics, as `select_boxes`."""
    others = {"own_protocol": "own_protocol" in data, "judging": data.get("judging", "")}
    return select_boxes(data, options) | others


class SwitchForm(ConfirmableForm):
    """Whether a metric is enabled."""

    enabled = forms.TypedChoiceField(
        widget=forms.HiddenInput, choices=[("on", "On"), ("off", "Off")], coerce=lambda value: value == "on"
    )


class ParametersForm(ConfirmableForm):
    """One field per parameter of a metric's `build`, with its type and default."""

    def __init__(
        self, *args: Any, entry: CatalogEntry, chosen: Mapping[str, Any], files: FileRoots, **rest: Any
    ) -> None:
        super().__init__(*args, **rest)
        self.entry, self.files = entry, files
        self.known = {each.name: each for each in entry.parameters if each.kind != "other"}
        for parameter in self.known.values():
            self.fields[parameter.name] = _make_field(parameter, chosen.get(parameter.name, parameter.default))

    @property
    def fixed(self) -> list[FormParameter]:
        """The parameters without a field, since there is none for their type."""
        return [each for each in self.entry.parameters if each.kind == "other"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        try:
            self.params = check_parameters(
                self.entry, {name: self._read_empty(name, value) for name, value in cleaned.items()}, files=self.files
            )
        except ParametersRefused as refused:
            for name, problem in refused.problems.items():
                self.add_error(name, problem)
        return cleaned

    def _read_empty(self, name: str, value: Any) -> Any:
        """Return None for an empty field if None is allowed, else the default; an empty string stays one."""
        parameter = self.known[name]
        if value in ("", None) and parameter.optional:
            return None
        return parameter.default if value is None else value


def _make_field(parameter: FormParameter, initial: Any) -> forms.Field:
    told = f"Default: {_print(parameter.default)}."
    if parameter.optional:
        told = f"Leave empty for none. {told}"
    shared: dict[str, Any] = {"label": parameter.name, "required": False, "initial": initial, "help_text": told}
    if parameter.kind == "bool" and not parameter.optional:
        return forms.BooleanField(**shared)
    if parameter.kind == "bool":
        return _ValueField(choices=(True, False), optional=True, **shared)
    if parameter.kind == "choice":
        return _ValueField(choices=parameter.choices, optional=parameter.optional, **shared)
    if parameter.kind == "int":
        return forms.IntegerField(**shared)
    if parameter.kind == "float":
        return forms.FloatField(widget=forms.NumberInput(attrs={"step": "any"}), **shared)
    return forms.CharField(max_length=200, strip=False, **shared)


class _ValueField(forms.TypedChoiceField):
    """A choice between values of any type, which are submitted as strings."""

    def __init__(self, *, choices: Sequence[Any], optional: bool, **rest: Any) -> None:
        values = {str(value): value for value in choices}
        empty = [("", "none")] if optional else []
        super().__init__(
            choices=[*empty, *((name, name) for name in values)], coerce=values.__getitem__, empty_value=None, **rest
        )

    def prepare_value(self, value: Any) -> Any:
        return "" if value is None else str(value)


def _print(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if value != "" else "empty"

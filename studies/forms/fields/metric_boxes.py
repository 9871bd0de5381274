"""Check boxes for metrics by family, with buttons that select all, the recommended ones or none."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from studies.scoring.requested_runs.costs import MetricCost
from studies.scoring.requested_runs.options import MetricOption
from studies.shared.text import print_duration


class MetricBoxes(forms.CheckboxSelectMultiple):
    """The choices must be grouped by family. The buttons submit `select`; a script handles them in the page.

    Attributes:
        attributes: Attributes of the boxes by metric, set by the form.
        cost: The estimated time of the selected metrics, as text; "" if it is not shown.
        has_recommended: Whether there is a button for the recommended ones.
        pressed: The value of the button that was pressed, which gets the focus; "" for none.
    """

    template_name = "studies/widgets/metric_boxes.html"
    attributes: Mapping[str, Mapping[str, str]] = {}
    cost = ""
    has_recommended = True
    pressed = ""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"] |= {"cost": self.cost, "pressed": self.pressed, "has_recommended": self.has_recommended}
        return context

    def create_option(self, name: str, value: Any, *args: Any, **rest: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **rest)
        option["attrs"] = {**option["attrs"], **self.attributes.get(value, {})}
        return option


def group_by_family(
    options: Sequence[MetricOption], costs: Mapping[str, MetricCost] | None = None
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the choices of `MetricBoxes`: the metrics by family, with their title and, if it is long, their cost.

    The cost does not include loading, which metrics of a family share.
    """
    families: dict[str, list[tuple[str, str]]] = {}
    for option in options:
        name = option.info.id
        seconds = costs[name].rows if costs and name in costs else 0.0
        told = f"{name} ({option.info.title})" + (f", {print_duration(seconds)}" if seconds >= 1 else "")
        families.setdefault(option.family, []).append((name, told))
    return sorted(families.items())


def select_boxes(data: QueryDict, options: Sequence[MetricOption]) -> dict[str, Any]:
    """Return the initial values of a form of which a button selected metrics: of all families, or of one.

    Args:
        data: What was submitted; `select` is "all", "none" or "recommended", and may name a family as in "all:ngram".
        options: The metrics.
    """
    select, chosen = data.get("select", ""), set(data.getlist("metrics"))
    what, _, family = select.partition(":")
    for option in options:
        if family in ("", option.family):
            is_chosen = what == "all" or (what == "recommended" and option.is_recommended)
            chosen = chosen | {option.info.id} if is_chosen else chosen - {option.info.id}
    return {"metrics": sorted(chosen), "select": select}

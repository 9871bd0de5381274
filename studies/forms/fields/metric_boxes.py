"""Check boxes for metrics by family, with buttons that select all, the recommended ones or none."""

from collections.abc import Mapping
from typing import Any

from django import forms


class MetricBoxes(forms.CheckboxSelectMultiple):
    """The choices must be grouped by family. The buttons submit `select`; a script handles them in the page.

    Attributes:
        attributes: Attributes of the boxes by metric, set by the form.
        cost: The estimated time of the selected metrics, as text.
        pressed: The value of the button that was pressed, which gets the focus; "" for none.
    """

    template_name = "studies/widgets/metric_boxes.html"
    attributes: Mapping[str, Mapping[str, str]] = {}
    cost = ""
    pressed = ""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"] |= {"cost": self.cost, "pressed": self.pressed}
        return context

    def create_option(self, name: str, value: Any, *args: Any, **rest: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **rest)
        option["attrs"] = {**option["attrs"], **self.attributes.get(value, {})}
        return option

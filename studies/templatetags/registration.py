"""The badge of a preregistered study, in the heading of all its pages."""

from typing import Any

from django import template

from studies.design.preregistration.deviations import find_registration
from studies.models import Study

register = template.Library()


@register.inclusion_tag("studies/registration.html")
def registration_badge(study: Study) -> dict[str, Any]:
    """Render whether a preregistered study keeps to its preregistration; nothing for other studies."""
    return {"study": study, "registration": find_registration(study)}

"""The tabs with the pages of one study; each person sees those that they may access."""

from dataclasses import dataclass
from typing import Any, Final

from django import template

from studies.rules import CHANGE_STUDY, MANAGE_STUDY, VIEW_STUDY  # noqa: F401 - the rights that tabs may need

register = template.Library()


@dataclass(frozen=True, slots=True)
class Tab:
    """One page of a study: its URL name, its label, and the required right."""

    url: str
    label: str
    permission: str = VIEW_STUDY


TABS: Final = (
    Tab("studies:study", "Overview"),
    Tab("studies:design", "Design"),
    Tab("studies:monitoring", "Monitoring"),
    Tab("studies:runs", "Runs"),
    Tab("studies:explore", "Explore"),
    Tab("studies:disagreements", "Disagreements"),
    Tab("studies:reports", "Reports"),
    Tab("studies:people", "People"),
    Tab("studies:history", "History"),
)


@register.inclusion_tag("studies/tabs.html", takes_context=True)
def study_tabs(context: Any) -> dict[str, Any]:
    """Render the tabs of `study`; the page's context has the URL name of the current one in `tab`."""
    user, study = context["user"], context["study"]
    shown = [tab for tab in TABS if tab.permission == VIEW_STUDY or user.has_perm(tab.permission, study)]
    return {"tabs": shown, "study": study, "current": context.get("tab", "studies:study")}

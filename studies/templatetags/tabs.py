"""The tabs with the pages of one study; each person sees those that they may access."""

from dataclasses import dataclass
from typing import Any, Final

from django import template

from studies.models import Study
from studies.rules import CHANGE_STUDY, MANAGE_STUDY, VIEW_STUDY  # noqa: F401 - the rights that tabs may need

register = template.Library()


@dataclass(frozen=True, slots=True)
class Tab:
    """One page of a study: its URL name, its label, the letter of its shortcut, and the required right.

    `pages` are the pages of a tab with several, itself first under a name of its own; they are listed below the tabs.
    """

    url: str
    label: str
    letter: str
    permission: str = VIEW_STUDY
    pages: tuple["Tab", ...] = ()


TABS: Final = (
    Tab("studies:study", "Overview", "o"),
    Tab("studies:design", "Design", "d"),
    Tab("recruiting:raters", "Raters", "l", CHANGE_STUDY),
    Tab("studies:monitoring", "Monitoring", "m"),
    Tab("studies:runs", "Runs", "r"),
    Tab(
        "studies:explore",
        "Explore",
        "e",
        pages=(
            Tab("studies:explore", "Correlations", "e"),
            Tab("studies:systems", "Systems", "w"),
            Tab("studies:disagreements", "Disagreements", "i"),
        ),
    ),
    Tab("studies:reports", "Reports", "t"),
    Tab(
        "studies:people",
        "People",
        "p",
        pages=(Tab("studies:people", "Members", "p"), Tab("studies:history", "History", "h")),
    ),
)


@register.inclusion_tag("studies/tabs.html", takes_context=True)
def study_tabs(context: Any) -> dict[str, Any]:
    """Render the tabs of `study`; the page's context has the URL name of the current one in `tab`."""
    user, study, page = context["user"], context["study"], context.get("tab", "studies:study")
    shown = _list_tabs(user, study)
    current = next((tab for tab in shown if page == tab.url or page in [each.url for each in tab.pages]), None)
    return {"tabs": shown, "study": study, "current": current, "current_page": page}


def list_pages(user: Any, study: Study) -> list[Tab]:
    """Return the pages of a study for a person who may see it, in the order of the tabs."""
    return [page for tab in _list_tabs(user, study) for page in tab.pages or (tab,)]


def _list_tabs(user: Any, study: Study) -> list[Tab]:
    return [tab for tab in TABS if tab.permission == VIEW_STUDY or user.has_perm(tab.permission, study)]

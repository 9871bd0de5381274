"""The dialog of keyboard shortcuts: "?" opens it, "g" and a letter goes to a page."""

from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.urls import reverse

from studies.models import Study
from studies.rules import VIEW_STUDY
from studies.templatetags.tabs import list_pages

register = template.Library()


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A letter after "g", and the page that it goes to."""

    letter: str
    label: str
    page: str


SITE: Final = (
    ("s", "Studies", "studies:list"),
    ("y", "Activity", "studies:activity"),
    ("k", "Metrics", "studies:metrics"),
    ("b", "Benchmark", "studies:matrix"),
    ("c", "Challenges", "challenges:list"),
    ("n", "New study", "studies:new"),
    ("u", "Your account", "account"),
)


@register.inclusion_tag("studies/shortcuts.html", takes_context=True)
def shortcuts(context: Any) -> dict[str, list[Shortcut]]:
    """Render the shortcuts of the site, and on a page of a study those of its other pages."""
    site = [Shortcut(letter, label, reverse(url)) for letter, label, url in SITE]
    study, user = context.get("study"), context["user"]
    if not isinstance(study, Study) or not user.has_perm(VIEW_STUDY, study):
        return {"site": site, "of_study": []}
    of_study = [Shortcut(tab.letter, tab.label, reverse(tab.url, args=[study.name])) for tab in list_pages(user, study)]
    return {"site": site, "of_study": of_study}

"""Groups the models on the first page of the admin by subject."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import template

register = template.Library()

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Studies: designs, members, what was declared": ("study", "preregistration", "simulation"),
    "Datasets: images, references, captions": ("dataset",),
    "Tasks and judgments": ("task", "judgment"),
    "Raters: conduct, consent, identities": ("rater", "conduct", "limit"),
    "Panels and pay": ("panel",),
    "Metrics: runs and scores": ("run", "request"),
    "Reports": ("report",),
    "Access and history": ("access", "collaboration"),
}
"""Heading -> modules of `studies.models`."""


@register.filter
def group_tables(apps: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the admin's list of apps, with this app divided by subject and the others after it."""
    found = list(apps)
    ours = [app for app in found if app["app_label"] == "studies"]
    return [*(group for app in ours for group in _divide(app)), *(app for app in found if app not in ours)]


def _divide(app: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    left = list(app["models"])
    for title, modules in GROUPS.items():
        mine = [each for each in left if each["model"].__module__.rpartition(".")[2] in modules]
        left = [each for each in left if each not in mine]
        if mine:
            yield {**app, "name": title, "app_label": f"studies-{modules[0]}", "models": mine}
    if left:
        yield {**app, "models": left}

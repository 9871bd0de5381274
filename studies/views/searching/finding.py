"""What a search finds: only what the person may open, whether or not there is a study that the person may not see."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q
from django.urls import reverse

from studies.access.publicity import listed_studies, public_reports
from studies.access.visibility import visible_studies
from studies.models import FrozenReport, Study
from studies.scoring.plugins.catalog import load_catalog
from studies.shared.documentation import list_pages as list_documentation
from studies.templatetags.shortcuts import SITE
from studies.templatetags.tabs import list_pages

MOST: Final = 8
"""How many of each kind are found."""
LONGEST: Final = 100
"""The characters of a query that are read."""
_MOST_WORDS: Final = 6


@dataclass(frozen=True, slots=True)
class Found:
    """A page: its title, what tells it from others of the same title ("" if nothing does), and its address."""

    title: str
    hint: str
    url: str


@dataclass(frozen=True, slots=True)
class Group:
    """The pages of one kind."""

    title: str
    found: tuple[Found, ...]


def find_pages(query: str, *, user: Any, study: Study | None = None) -> tuple[Group, ...]:
    """Return the pages whose titles contain all words of a query, in groups that have some.

    Args:
        query: Words; without any, the pages of the study and of the site are found.
        user: Who searches; a visitor finds public studies and reports, and the documentation.
        study: The study of the page where the search began, which the user may see; its pages are found too.
    """
    words = query[:LONGEST].lower().split()[:_MOST_WORDS]
    groups = [Group("Pages of this study", _take(_list_pages_of(study, user=user), words))] if study else []
    if words:
        groups.append(Group("Studies", tuple(_find_studies(words, user=user))))
        groups.append(Group("Reports", tuple(_find_reports(words, user=user))))
    if user.is_authenticated:
        groups.append(Group("Pages", _take((Found(label, "", reverse(url)) for _, label, url in SITE), words)))
    if words and user.is_authenticated:
        groups.append(Group("Metrics", _take(_list_metrics(), words)))
    if words:
        documentation = (
            Found(title, "", reverse("studies:docs_page", args=[name])) for name, title in list_documentation()
        )
        groups.append(Group("Documentation", _take(documentation, words)))
    return tuple(group for group in groups if group.found)


def _take(pages: Iterable[Found], words: Sequence[str]) -> tuple[Found, ...]:
    chosen = [each for each in pages if all(word in f"{each.title} {each.hint}".lower() for word in words)]
    return tuple(chosen[:MOST] if words else chosen)


def _list_pages_of(study: Study, *, user: Any) -> Iterator[Found]:
    for page in list_pages(user, study):
        yield Found(page.label, "", reverse(page.url, args=[study.name]))


def _find_studies(words: Sequence[str], *, user: Any) -> Iterator[Found]:
    named = Q()
    for word in words:
        named &= Q(title__icontains=word) | Q(name__icontains=word)
    own = visible_studies(user) if user.is_authenticated else Study.objects.none()
    found = list(own.filter(named).order_by("title", "pk")[:MOST])
    for study in found:
        yield Found(study.title, study.name, reverse("studies:study", args=[study.name]))
    others = listed_studies().filter(named).exclude(pk__in=own.values("pk")).order_by("title", "pk")
    for study in others[: MOST - len(found)]:
        yield Found(study.title, "public", reverse("studies:public", args=[study.name]))


def _find_reports(words: Sequence[str], *, user: Any) -> Iterator[Found]:
    named = Q()
    for word in words:
        # "report 3 flickr" is found as well as "flickr".
        if not "report".startswith(word):
            is_numbered = Q(number=int(word)) if word.isascii() and word.isdigit() and len(word) < 9 else Q()
            in_title = Q(title__icontains=word) | Q(study__title__icontains=word) | Q(study__name__icontains=word)
            named &= in_title | is_numbered
    found = FrozenReport.objects.filter(named).select_related("study").defer("content", "facts").order_by("-pk")
    studies = visible_studies(user) if user.is_authenticated else Study.objects.none()
    own = list(found.filter(study__in=studies)[:MOST])
    for report in own:
        yield _show_report(report, page="studies:report")
    others = found.filter(pk__in=public_reports().values("pk")).exclude(study__in=studies)
    for report in others[: MOST - len(own)]:
        yield _show_report(report, page="studies:public_report")


def _show_report(report: FrozenReport, *, page: str) -> Found:
    address = reverse(page, args=[report.study.name, report.number])
    return Found(f"Report {report.number}", report.shown_title, address)


def _list_metrics() -> Iterator[Found]:
    for entry in load_catalog(within=0.0):
        yield Found(entry.info.title, entry.info.id, reverse("studies:metric", args=[entry.info.id]))

"""Deviations from a preregistration: the changes that deviate, their confirmation, and what the audit log keeps."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from textwrap import shorten
from typing import Any, Final

from django.db.models import Exists, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from studies.design.design_history import compare_designs
from studies.design.study_design import StudyDesign
from studies.models import AuditEntry, Exclusion, Preregistration, Study, StudyVersion
from studies.shared.errors import Refusal

_RULES: Final = "exclusion_rules."
_NUMBER: Final = "deviates_from"
_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class Deviation:
    """One deviation from the preregistration: the subject, the declared value and the actual value."""

    what: str
    preregistered: str
    now: str

    def __str__(self) -> str:
        return f"{self.what}: preregistered {self.preregistered or 'nothing'}, now {self.now or 'nothing'}"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Whether a change is to be made even if it deviates from the preregistration; the reason may be empty."""

    is_given: bool = False
    reason: str = ""


NOT_CONFIRMED: Final = Confirmation()


class DeviationNotConfirmed(Refusal):
    """A change deviates from the preregistration with this `number` and is not confirmed; nothing was changed."""

    def __init__(self, number: int, deviations: tuple[Deviation, ...]) -> None:
        self.number, self.deviations = number, deviations
        told = "; ".join(str(_shorten(each)) for each in deviations)
        super().__init__(f"this deviates from preregistration {number} and must be confirmed: {told}")


@dataclass(frozen=True, slots=True)
class Registration:
    """The preregistration in force, by its number and time, and whether the study deviates from it."""

    number: int
    frozen_at: datetime
    has_deviations: bool


def find_preregistration(study: Study) -> Preregistration | None:
    """Return the preregistration in force, which is the newest, since none can be made once the study has begun."""
    return Preregistration.objects.filter(study=study).order_by("-number").first()


def load_plan(study: Study) -> Mapping[str, Any] | None:
    """Return the preregistered plan, by the fields of `AnalysisPlan`; None without a preregistration."""
    preregistration = find_preregistration(study)
    plan: Mapping[str, Any] | None = json.loads(preregistration.content)["plan"] if preregistration else None
    return plan


def confirm_change(
    study: Study, find_deviations: Callable[[Mapping[str, Any]], Iterable[Deviation]], *, confirmation: Confirmation
) -> dict[str, Any]:
    """Return what the entry of a change in the audit log has about its deviations; empty if it does not deviate.

    Args:
        study: The study, which need not be preregistered.
        find_deviations: Called with the declared content, returns the deviations that the change makes.
        confirmation: Whether the change is confirmed.

    Raises:
        DeviationNotConfirmed: The change deviates and is not confirmed.
    """
    registered = find_preregistration(study)
    found = tuple(find_deviations(json.loads(registered.content))) if registered else ()
    if registered is None or not found:
        return {}
    if not confirmation.is_given:
        raise DeviationNotConfirmed(registered.number, found)
    details = {_NUMBER: registered.number, "deviations": [each.what for each in found]}
    return details | ({"deviation_reason": confirmation.reason} if confirmation.reason else {})


def list_design_deviations(
    declared: Mapping[str, Any], design: StudyDesign, *, fields: Collection[str] | None = None
) -> Iterator[Deviation]:
    """Yield the fields of a design that differ from the declared content; secret fields are not declared.

    `fields` limits them to these paths.
    """
    before = StudyDesign.from_json(declared["design"]).without_secrets()
    for change in compare_designs(before, design.without_secrets()):
        if fields is not None and change.field not in fields:
            continue
        what = "exclusion criterion" if change.field.startswith(_RULES) else "design"
        name = change.field.removeprefix(_RULES)
        yield Deviation(f"{what} {name}", preregistered=change.before, now=change.after)


def list_confirmed(preregistration: Preregistration) -> QuerySet[AuditEntry]:
    """Return the entries of the confirmed changes that deviate from a preregistration, oldest first."""
    number = {f"details__{_NUMBER}": preregistration.number}
    return AuditEntry.objects.filter(study=preregistration.study_id, **number).order_by("pk")


def find_registration(study: Study) -> Registration | None:
    """Return the preregistration of a study for the heading of its pages, by one query; None without one.

    A study deviates once a deviating change was confirmed, even if it was undone since; and as long as its protocol or
    the newest version of its design differ, or a rater is excluded manually.
    """
    of_study = {"study": OuterRef("study")}
    confirmed = AuditEntry.objects.filter(**of_study, details__has_key=_NUMBER).order_by("-pk")
    excluded = Exclusion.objects.filter(rater__study=OuterRef("study"), rule="", lifted_at=None)
    newest = (
        Preregistration.objects.filter(study=study)
        .annotate(
            confirmed=Subquery(confirmed.values(number=Cast(KT(f"details__{_NUMBER}"), IntegerField()))[:1]),
            has_excluded=Exists(excluded),
            design=Subquery(StudyVersion.objects.filter(**of_study).order_by("-number").values("design")[:1]),
        )
        .order_by("-number")
        .first()
    )
    if newest is None:
        return None
    declared = json.loads(newest.content)
    deviates = (
        newest.confirmed == newest.number
        or newest.has_excluded
        or study.protocol != declared["plan"]["protocol"]
        or any(list_design_deviations(declared, StudyDesign.from_json(newest.design)))
    )
    return Registration(newest.number, newest.frozen_at, deviates)


def _shorten(deviation: Deviation) -> Deviation:
    """Return a deviation whose values fit in a sentence."""
    declared, now = (shorten(text, _LONGEST, placeholder="…") for text in (deviation.preregistered, deviation.now))
    return Deviation(deviation.what, declared, now)

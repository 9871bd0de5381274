"""Preregistrations: declarations frozen under a digest before the first judgment, and the deviations from them."""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from studies.access.audit import Actor, record_change
from studies.design.preregistration.deviations import (
    Confirmation,
    Deviation,
    confirm_change,
    find_preregistration,
    list_design_deviations,
)
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import AuditAction, TaskRole
from studies.models import Assignment, Candidate, Exclusion, Item, Judgment, Preregistration, Study, StudyVersion
from studies.shared.errors import Refusal


class CannotPreregister(Refusal):
    """The study has judgments already, so a declaration would come too late."""


@dataclass(frozen=True, slots=True)
class AnalysisPlan:
    """The planned analysis of the judgments.

    Attributes:
        protocol: The name or signature of the protocol.
        coefficient: The decisive coefficient, such as `kendall-c`.
        metrics: The ids of the compared metrics, in alphabetical order.
        test: The test of differences, named as for `compare`.
        alpha: The level of the tests.
        correction: The correction for multiple comparisons, named as for `compare`.
        stopping_rule: When the study ends, in words.
    """

    protocol: str
    coefficient: str
    metrics: tuple[str, ...]
    test: str
    alpha: float
    correction: str
    stopping_rule: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """The choices of an analysis to compare with the plan; None for choices that it does not make.

    `tried` has the metrics that were only run on simulated judgments, which are no deviation.
    """

    protocol: str | None = None
    metrics: Sequence[str] | None = None
    test: str | None = None
    alpha: float | None = None
    correction: str | None = None
    tried: Collection[str] = ()


@transaction.atomic
def preregister_study(
    study: Study, *, plan: AnalysisPlan, now: datetime, actor: Actor, user: Any | None = None
) -> Preregistration:
    """Freeze design, items, exclusion rules and plan under the next number of the study.

    Raises:
        CannotPreregister: A rater has been given a main task, or judgments were imported.
    """
    # Serialize concurrent calls; leases lock the row shared, so that none is given in between.
    study = Study.objects.select_for_update().get(pk=study.pk)
    if has_begun(study):
        raise CannotPreregister(
            f"study {study.name} has judgments or has started: a plan made after the first task is not a "
            "preregistration"
        )
    content = write_canonical(describe_study(study) | {"plan": asdict(plan)})
    digest = hashlib.sha256(content.encode()).hexdigest()
    last = Preregistration.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    details = {"number": last + 1, "digest": digest}
    record_change(study, actor=actor, action=AuditAction.PREREGISTERED, now=now, details=details)
    return Preregistration.objects.create(
        study=study, number=last + 1, content=content, digest=digest, frozen_at=now, frozen_by=user
    )


def has_begun(study: Study) -> bool:
    """Return whether any rater has been given a main task, or judgments were imported for one."""
    given = Assignment.objects.filter(task__study=study, task__role=TaskRole.MAIN)
    came = Judgment.objects.filter(rater__study=study, item__task__role=TaskRole.MAIN)
    return given.exists() or came.exists()


def describe_study(study: Study) -> dict[str, Any]:
    """Return the frozen content besides the plan, which excludes judgments, raters, titles and secrets."""
    version = load_newest_version(study)
    items = Item.objects.filter(task__study=study)
    return {
        "study": study.name,
        "kind": study.kind,
        "design_version": version.number,
        "design": StudyDesign.from_json(version.design).to_public_json(),
        "n_tasks": study.tasks.filter(role=TaskRole.MAIN).count(),
        "n_items": items.count(),
        "items_digest": digest_items(study),
    }


def digest_items(study: Study) -> str:
    """Return the SHA-256 of all items: images, captions, anchors, roles and expected values, in order."""
    digest = hashlib.sha256()
    sets: dict[int, list[str]] = {}
    texts = Candidate.objects.filter(caption_set__in=Item.objects.filter(task__study=study).values("caption_set"))
    for owner, text in texts.order_by("pk").values_list("caption_set", "text"):
        sets.setdefault(owner, []).append(text)
    columns = (
        "task__position",
        "task__role",
        "position",
        "image__key",
        "anchor__text",
        "candidate__system__name",
        "candidate__text",
        "other_candidate__system__name",
        "other_candidate__text",
        "caption_set__system__name",
        "expected",
    )
    items = Item.objects.filter(task__study=study).order_by("task__position", "position")
    for *values, owner in items.values_list(*columns, "caption_set").iterator():
        digest.update(write_canonical([*values, sets.get(owner, [])]).encode())
    return digest.hexdigest()


def write_canonical(value: Any) -> str:
    """Return JSON that is equal for equal content, regardless of the order of keys."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def list_deviations(study: Study, *, analysis: Analysis) -> tuple[Deviation, ...]:
    """Return the deviations from the preregistration; empty without a preregistration.

    Args:
        study: The study whose design, items and exclusions are compared with its preregistration.
        analysis: The choices of one analysis, which are compared with the plan.
    """
    preregistration = find_preregistration(study)
    if preregistration is None:
        return ()
    declared = json.loads(preregistration.content)
    return (
        *_compare_design(study, declared),
        *compare_plan(declared["plan"], analysis),
        *_list_exclusions(study),
    )


def _compare_design(study: Study, declared: Mapping[str, Any]) -> Iterator[Deviation]:
    newest = load_newest_version(study)
    after = StudyDesign.from_json(newest.design)
    found = tuple(list_design_deviations(declared, after))
    yield from found
    # Raters may have seen a change that was made and undone.
    between = StudyVersion.objects.filter(study=study, number__gt=declared["design_version"])
    designs = (StudyDesign.from_json(version.design) for version in between)
    if not found and any(any(list_design_deviations(declared, design)) for design in designs):
        yield Deviation(
            "design", f"version {declared['design_version']}", f"version {newest.number}, with identical content"
        )
    if study.started_at is None and digest_items(study) != declared["items_digest"]:
        yield Deviation("items", preregistered=declared["items_digest"][:12], now=digest_items(study)[:12])


def compare_plan(plan: Mapping[str, Any], done: Analysis) -> Iterator[Deviation]:
    """Yield the choices of an analysis that differ from the declared plan."""
    for name in ("protocol", "test", "alpha", "correction"):
        value = getattr(done, name)
        if value is not None and value != plan[name]:
            yield Deviation(name, preregistered=str(plan[name]), now=str(value))
    if done.metrics is not None:
        added = sorted(set(done.metrics) - {*plan["metrics"], *done.tried})
        left_out = sorted(set(plan["metrics"]) - set(done.metrics))
        if added:
            yield Deviation("metrics added", preregistered=", ".join(plan["metrics"]), now=", ".join(added))
        if left_out and done.metrics:
            yield Deviation("metrics without scores", preregistered=", ".join(left_out), now="")


def confirm_metrics(study: Study, metrics: Collection[str], *, confirmation: Confirmation) -> dict[str, Any]:
    """Return what the audit log has about metrics that are to be run beyond those of the plan; empty if there are none.

    Raises:
        DeviationNotConfirmed: There are such metrics, and running them is not confirmed.
    """

    def find_added(declared: Mapping[str, Any]) -> Iterator[Deviation]:
        plan = declared["plan"]
        return compare_plan(plan, Analysis(metrics=[*plan["metrics"], *metrics]))

    return confirm_change(study, find_added, confirmation=confirmation)


def confirm_metric_change(
    study: Study, metric: str, *, what: str, was: str, now: str, confirmation: Confirmation
) -> dict[str, Any]:
    """Return what the audit log has about a change of a metric that the plan names; empty if it does not name it.

    Args:
        study: The study, which need not be preregistered.
        metric: The metric that is changed.
        what: The subject of the change, such as `parameters of cider-d`.
        was: The value before the change.
        now: The value after it.
        confirmation: Whether the change is confirmed.

    Raises:
        DeviationNotConfirmed: The plan names the metric, and the change is not confirmed.
    """

    def find_planned(declared: Mapping[str, Any]) -> Iterator[Deviation]:
        if metric in declared["plan"]["metrics"]:
            yield Deviation(what, preregistered=was, now=now)

    return confirm_change(study, find_planned, confirmation=confirmation)


def _list_exclusions(study: Study) -> Iterator[Deviation]:
    by_hand = Exclusion.objects.filter(rater__study=study, rule="", lifted_at=None).select_related("rater")
    for exclusion in by_hand.order_by("pk"):
        yield Deviation("rater excluded manually", preregistered="", now=f"{exclusion.rater}: {exclusion.reason}")

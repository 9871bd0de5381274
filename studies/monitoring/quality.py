"""The quality of each rater's work, the declared rules that the rater breaks, and the panel's rules for rejection."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from django.db import transaction

from correlation.agreement.rater_quality import RaterQuality, compare_with_perturbed, measure_raters
from correlation.tables import JudgmentTable
from studies.access.audit import COMMAND_LINE, Actor
from studies.collection.assignment.grading import is_right
from studies.design.study_design import ExclusionRules, StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import PERTURBED, TaskKind, TaskRole
from studies.models import Exclusion, Item, Judgment, Rater, Study, StudyVersion
from studies.monitoring.exclusion import exclude_rater

FEWEST_FOR_SAMENESS: Final = 20
SHORT_STUDY_SECONDS: Final = 300
"""One failed attention check may decide in studies shorter than this, two in longer ones (Prolific's rule)."""


@dataclass(frozen=True, slots=True)
class RaterRecord:
    """The record of one rater's work.

    Attributes:
        rater: The pseudonym.
        outcome: How the participation ended; empty while it continues.
        work: The statistics of the main tasks; None if there are none.
        first_share: In a pairwise study, the share of choices of the caption shown first; else NaN.
        n_checks, n_failed: The numbers of gold and attention items answered, and answered unexpectedly.
        n_attention_failed: The number of failed checks that ask for a specific answer, the only ones panels accept.
        perturbed_p: The one-sided p-value of "rates intact captions no higher than distorted ones"; NaN without any.
        broken: The declared rules that the rater breaks, each with its numbers.
        excluded: The reason of the current exclusion; empty if there is none.
        may_reject: Whether the panel's policy allows rejecting the submission.
    """

    rater: str
    outcome: str
    work: RaterQuality | None
    first_share: float
    n_checks: int
    n_failed: int
    n_attention_failed: int
    perturbed_p: float
    broken: Mapping[str, str]
    excluded: str
    may_reject: bool


@dataclass(frozen=True, slots=True)
class QualityReport:
    """The raters of a study, by pseudonym; `rules_changed_at` is the time of a change of the rules after the start."""

    rules: ExclusionRules
    rules_changed_at: datetime | None
    raters: tuple[RaterRecord, ...]


@dataclass(frozen=True, slots=True)
class _Checked:
    n: int = 0
    n_failed: int = 0
    n_attention_failed: int = 0


def report_quality(study: Study, *, seed: int = 0) -> QualityReport:
    """Report the work of each rater of a study; `seed` is for the permutation test with distorted captions."""
    version = load_newest_version(study)
    design = StudyDesign.from_json(version.design)
    works = {work.rater: work for work in _measure_work(study)}
    sides = _measure_sides(study)
    checked = _count_checks(study)
    perturbed = _test_perturbed(study, rng=np.random.default_rng(seed))
    excluded = dict(
        Exclusion.objects.filter(rater__study=study, lifted_at=None).values_list("rater__pseudonym", "reason")
    )
    raters = Rater.objects.filter(study=study).exclude(judgments=None).order_by("pseudonym").distinct()
    records = []
    for name, outcome in raters.values_list("pseudonym", "outcome"):
        checks = checked.get(name, _Checked())
        p = perturbed.get(name, float("nan"))
        records.append(
            RaterRecord(
                rater=name,
                outcome=outcome,
                work=works.get(name),
                first_share=sides.get(name, float("nan")),
                n_checks=checks.n,
                n_failed=checks.n_failed,
                n_attention_failed=checks.n_attention_failed,
                perturbed_p=p,
                broken=find_broken_rules(design.exclusion_rules, work=works.get(name), n_failed=checks.n_failed, p=p),
                excluded=excluded.get(name, ""),
                may_reject=may_reject(design, n_attention_failed=checks.n_attention_failed),
            )
        )
    return QualityReport(design.exclusion_rules, _find_late_change(study, version), tuple(records))


def find_broken_rules(rules: ExclusionRules, *, work: RaterQuality | None, n_failed: int, p: float) -> dict[str, str]:
    """Return name of a broken rule -> its numbers in words. Unknown values (NaN) break no rule."""
    broken = {}
    if rules.failed_checks is not None and n_failed > rules.failed_checks:
        broken["failed_checks"] = f"{n_failed} failed checks; {rules.failed_checks} are allowed"
    if rules.perturbed_p is not None and p > rules.perturbed_p:
        broken["perturbed_p"] = (
            f"does not rate perturbed captions lower: p = {p:.3f}; the limit is {rules.perturbed_p:g}"
        )
    if work is None:
        return broken
    if rules.fastest_share is not None and work.pace < rules.fastest_share:
        broken["fastest_share"] = f"takes {work.pace:.2f} of the usual time, at least {rules.fastest_share:g}"
    is_long = work.n >= FEWEST_FOR_SAMENESS
    if rules.same_answer_share is not None and is_long and work.same_share > rules.same_answer_share:
        broken["same_answer_share"] = f"same answer on {work.same_share:.2f} of {work.n} items"
    if rules.agreement is not None and work.agreement < rules.agreement:
        broken["agreement"] = f"agreement with the others {work.agreement:.2f}, at least {rules.agreement:g}"
    return broken


def may_reject(design: StudyDesign, *, n_attention_failed: int) -> bool:
    """Return whether a submission may be rejected: by attention checks alone, by a single one only in a short study.

    A study of unknown length counts as long.
    """
    seconds = design.task_seconds * (design.tasks_per_session or design.tasks_per_rater)
    needed = 1 if 0 < seconds < SHORT_STUDY_SECONDS else 2
    return n_attention_failed >= needed


@transaction.atomic
def apply_rules(
    study: Study, *, now: datetime, seed: int = 0, gives_slots_back: bool = False, actor: Actor = COMMAND_LINE
) -> list[Exclusion]:
    """Exclude every rater who breaks a declared rule and is not yet excluded; return the decisions."""
    Study.objects.select_for_update().get(pk=study.pk)
    raters = {rater.pseudonym: rater for rater in Rater.objects.filter(study=study)}
    return [
        exclude_rater(
            raters[record.rater],
            reason="; ".join(record.broken.values()),
            rule="+".join(record.broken)[:50],
            gives_slots_back=gives_slots_back,
            now=now,
            actor=actor,
        )
        for record in report_quality(study, seed=seed).raters
        if record.broken and not record.excluded
    ]


def _measure_work(study: Study) -> tuple[RaterQuality, ...]:
    given = Judgment.objects.filter(item__task__study=study, item__task__role=TaskRole.MAIN, value__isnull=False)
    columns = ("item", "rater__pseudonym", "value", "elapsed_ms")
    rows = list(given.order_by("created_at", "pk").values_list(*columns))
    if not rows:
        return ()
    item, rater, value, elapsed = zip(*rows, strict=True)
    items = sorted(set(item))
    table = JudgmentTable.build(
        items=np.asarray(items), image=np.asarray(items), item=np.asarray(item), rater=list(rater), value=value
    )
    seconds = [np.nan if ms is None else ms / 1000 for ms in elapsed]
    return measure_raters(table, seconds=seconds, are_choices=study.kind == TaskKind.PAIRWISE)


def _measure_sides(study: Study) -> dict[str, float]:
    """Return each rater's share of choices of the caption shown first, without judgments of no preference."""
    given = Judgment.objects.filter(item__task__study=study, item__task__role=TaskRole.MAIN).exclude(assignment=None)
    chosen: dict[str, list[bool]] = {}
    for name, answer in given.values_list("rater__pseudonym", "answer"):
        if answer.get("choice") in ("first", "second"):
            chosen.setdefault(name, []).append(answer["choice"] == "first")
    return {name: sum(firsts) / len(firsts) for name, firsts in chosen.items()}


def _count_checks(study: Study) -> dict[str, _Checked]:
    roles = (TaskRole.GOLD, TaskRole.ATTENTION)
    answered = Judgment.objects.filter(item__task__study=study, item__task__role__in=roles)
    counted: dict[str, _Checked] = {}
    columns = ("rater__pseudonym", "value", "item__expected", "item__task__role")
    for name, value, expected, role in answered.exclude(item__expected=None).values_list(*columns):
        before = counted.get(name, _Checked())
        failed = not is_right(value, expected)
        counted[name] = _Checked(
            n=before.n + 1,
            n_failed=before.n_failed + failed,
            n_attention_failed=before.n_attention_failed + (failed and role == TaskRole.ATTENTION),
        )
    return counted


def _test_perturbed(study: Study, *, rng: np.random.Generator) -> dict[str, float]:
    """Test each rater who rated distorted captions, in the order of pseudonyms, so that the draws are reproducible."""
    ruined = _collect_values(Item.objects.filter(task__study=study, task__role=TaskRole.GOLD, category=PERTURBED))
    if not ruined:
        return {}
    intact = _collect_values(Item.objects.filter(task__study=study, task__role=TaskRole.MAIN))
    return {
        name: compare_with_perturbed(intact.get(name, ()), values, rng=rng) for name, values in sorted(ruined.items())
    }


def _collect_values(items: Iterable[Item]) -> dict[str, list[float]]:
    values: dict[str, list[float]] = {}
    given = Judgment.objects.filter(item__in=items, value__isnull=False).order_by("pk")
    for name, value in given.values_list("rater__pseudonym", "value"):
        values.setdefault(name, []).append(value)
    return values


def _find_late_change(study: Study, newest: StudyVersion) -> datetime | None:
    """Return when the rules got their current values, if that was after the start."""
    if study.started_at is None:
        return None
    versions = StudyVersion.objects.filter(study=study).order_by("number")
    rules = StudyDesign.from_json(newest.design).exclusion_rules
    changed_at = None
    for version in versions:
        differs = StudyDesign.from_json(version.design).exclusion_rules != rules
        changed_at = None if differs else changed_at or version.created_at
    return changed_at if changed_at and changed_at > study.started_at else None

"""The agreement of people with truth, where another study of the dataset has computed it for the same captions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import numpy as np

from correlation.agreement.truth import compare_with_truth
from correlation.protocols.reading import read_protocol
from studies.access.visibility import visible_studies
from studies.analysis.cached_results import CachedValue, StudyInputs, ValueRequest, find_cached, register_value
from studies.analysis.fingerprint import hash_facts
from studies.collection.judgments import StudyJudgments, load_judgments
from studies.design.protocols import STARTING_PROTOCOLS
from studies.enums import TaskKind
from studies.models import Judgment, Study

EACH: Final = "each"
MAJORITY: Final = "majority"


@dataclass(frozen=True, slots=True)
class TruthRow:
    """How well people agree with truth, by one measure.

    `judged` is `each` for all judgments, `majority` for the majority of each item's judgments, or a rater's pseudonym;
    `coefficient` is `accuracy` or `cohen`, which is corrected for chance. `truth` is the name of the study that
    computed the truth, empty for people who may not see it. `n_left_out` judgments or items have no computed truth, or
    no majority.
    """

    truth: str
    judged: str
    coefficient: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    n_left_out: int
    reason: str | None


def find_truth(
    study: Study, *, now: datetime, wait: bool = False, is_poll: bool = False, inputs: StudyInputs | None = None
) -> CachedValue[tuple[TruthRow, ...]]:
    """Return the newest available agreement of all judgments and of majorities with truth, empty if there is none.

    Arguments as for `find_results`. Pages pass the rows through `hide_names`.
    """
    computed = _list_computed(study)
    if not computed:
        return CachedValue(())
    request = _make_request(study, computed, inputs or StudyInputs(study))
    return find_cached(TRUTH, request, now=now, wait=wait, is_poll=is_poll)


def _list_computed(study: Study) -> tuple[tuple[int, str], ...]:
    """Return the keys and names of studies that may have computed the truth of a study by people."""
    if not study.dataset.world_profile or study.is_computed or study.kind != TaskKind.RATING:
        return ()
    return tuple(study.dataset.studies.filter(is_computed=True).order_by("pk").values_list("pk", "name"))


def _make_request(
    study: Study, computed: tuple[tuple[int, str], ...], inputs: StudyInputs
) -> ValueRequest[tuple[TruthRow, ...]]:
    name = f"truth:{hash_facts(inputs.setting, computed)}"
    return ValueRequest(name, inputs, make=lambda: _measure_for_page(study), payload={"study": study.pk})


TRUTH: Final = register_value(
    "truth",
    title="Comparing judgments with truth",
    request=lambda _, study: _make_request(study, _list_computed(study), StudyInputs(study)),
)


def _measure_for_page(study: Study) -> tuple[TruthRow, ...]:
    judgments = load_judgments(study, read_protocol(STARTING_PROTOCOLS[TaskKind.RATING]))
    if not len(judgments.table.value):
        return ()
    rows = measure_truth(study, judgments, resamples=1000, seed=0)
    return tuple(row for row in rows if row.judged in (EACH, MAJORITY))


def measure_truth(study: Study, judgments: StudyJudgments, *, resamples: int, seed: int) -> tuple[TruthRow, ...]:
    """Compare people's judgments with the computed truth of the same captions, with intervals over images.

    Empty if no other study of the dataset has computed judgments of them.
    """
    for computed in study.dataset.studies.filter(is_computed=True).exclude(pk=study.pk).order_by("pk"):
        known = dict(
            Judgment.objects.filter(item__task__study=computed, item__candidate__isnull=False)
            .order_by()
            .values_list("item__candidate_id", "value")
        )
        if judgments.scored.shape[1] == 1 and not known.keys().isdisjoint(judgments.scored[:, 0].tolist()):
            return tuple(_compare(computed, known, judgments, resamples=resamples, seed=seed))
    return ()


def hide_names(rows: Sequence[TruthRow], *, user: Any) -> tuple[TruthRow, ...]:
    """Return the rows without the names of studies that this person may not see."""
    names = {row.truth for row in rows}
    visible = set(visible_studies(user).filter(name__in=names).values_list("name", flat=True)) if names else set()
    return tuple(row if row.truth in visible else replace(row, truth="") for row in rows)


def _compare(
    computed: Study, known: dict[int, float], judgments: StudyJudgments, *, resamples: int, seed: int
) -> Iterator[TruthRow]:
    table = judgments.table
    truth = np.array([known.get(pk, np.nan) for pk in judgments.scored[:, 0].tolist()])
    item, value = table.item, table.value
    if not np.isin(value, (0, 1)).all():
        reason = "people judged on another scale than 0 and 1"
        for coefficient in ("accuracy", "cohen"):
            yield TruthRow(computed.name, EACH, coefficient, None, None, None, 0, len(value), reason)
        return
    given = np.bincount(item, minlength=len(truth))
    yes = np.bincount(item, weights=value, minlength=len(truth))
    majority = np.where((given > 0) & (2 * yes != given), 2 * yes > given, np.nan)
    judged = np.flatnonzero(given > 0)
    yield from _measure(computed, EACH, value, truth[item], table.image[item], resamples, seed)
    yield from _measure(computed, MAJORITY, majority[judged], truth[judged], table.image[judged], resamples, seed)
    for rater in np.unique(table.rater):
        own = table.rater == rater
        yield from _measure(computed, str(rater), value[own], truth[item[own]], table.image[item[own]], resamples, seed)


def _measure(
    computed: Study,
    name: str,
    judged: np.ndarray[tuple[int], np.dtype[np.float64]],
    truth: np.ndarray[tuple[int], np.dtype[np.float64]],
    image: np.ndarray[tuple[int], np.dtype[np.str_]],
    resamples: int,
    seed: int,
) -> Iterator[TruthRow]:
    used = ~(np.isnan(judged) | np.isnan(truth))
    found = compare_with_truth(
        judged[used], truth[used], image=image[used], rng=np.random.default_rng(seed), n_resamples=resamples
    )
    for coefficient, value, bounds in (
        ("accuracy", found.accuracy, found.accuracy_bounds),
        ("cohen", found.kappa, found.kappa_bounds),
    ):
        reason = "there are no judgments" if not found.n else "judgments and truth have one value throughout"
        kept, low, high = (None if np.isnan(number) else float(number) for number in (value, *bounds))
        left_out = int((~used).sum())
        yield TruthRow(
            computed.name, name, coefficient, kept, low, high, found.n, left_out, reason if kept is None else None
        )

"""The agreement of a study's raters, and human ceilings in the coefficients of its protocol."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isinf

import numpy as np

from correlation.agreement.measures import AgreementResult, measure_agreement
from correlation.errors import CorrelationInputError
from correlation.protocols.evaluate import select_judgments
from correlation.protocols.inputs import RatedItems
from correlation.protocols.named import Measure, Protocol
from correlation.protocols.pair_ceiling import METHOD
from correlation.protocols.reading import read_protocol
from correlation.protocols.row import MEAN, TOTAL, ResultMeasure
from correlation.reports.ceilings import measure_judgments, measure_votes
from correlation.resampling.intervals import IntervalRequest
from correlation.tables import JudgmentTable
from metrics_plugins.api.progress import Track, pass_on
from studies.analysis.truth import TruthRow, measure_truth
from studies.collection.judgments import StudyJudgments, check_judged, load_judgments
from studies.design.protocols import CUSTOM, STARTING_PROTOCOLS
from studies.design.study_design import StudyDesign
from studies.enums import TaskKind
from studies.models import Study

_NOMINAL = ("krippendorff-nominal", "fleiss", "cohen-none")
_ORDERED = ("krippendorff-ordinal", "krippendorff-interval")
_WEIGHTED = ("cohen-linear", "cohen-quadratic")
_ICC = ("icc-1", "icc-2", "icc-3", "icc-1k", "icc-2k", "icc-3k")
NEEDS_PERSONS = (*_WEIGHTED, "cohen-none", "icc-2", "icc-3", "icc-2k", "icc-3k")
"""Coefficients that need to know which judgments are by the same rater."""

MOST_LEVELS = 20
"""A scale with more values is a slider, on which two raters rarely give the same value."""

PUBLISHED_BESIDE = {"kendall-c": "kendall-b"}
"""A protocol's coefficient -> the one used by papers for human agreement (.736 for Flickr8k-Expert)."""

_NOT_PERSONS = (
    "its raters are placeholders (first vote, second vote, ...), not individual raters, and cannot be compared"
)


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One coefficient of agreement; `value` is None if undefined, with the reason in `reason`.

    `n_items` were used; `n_left_out` have too few judgments for it.
    """

    criterion: str | None
    coefficient: str
    value: float | None
    low: float | None
    high: float | None
    n_items: int
    n_left_out: int
    n_raters: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class CeilingRow:
    """One human ceiling: the mean of `n_parts` comparisons of people with people, on `n` observations in total."""

    criterion: str | None
    method: str
    coefficient: str
    level: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    n_parts: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class StudyAgreement:
    """Agreement over all judgments of a study; ceilings over those that the protocol uses.

    `truth` has the agreement with computed truth, if it is known for the same captions.
    """

    study: str
    protocol: str
    resamples: int
    seed: int
    agreement: tuple[AgreementRow, ...]
    ceilings: tuple[CeilingRow, ...]
    truth: tuple[TruthRow, ...] = ()


def measure_study(
    study: Study,
    *,
    protocol: str = "",
    protocol_options: Sequence[str] = (),
    resamples: int = 1000,
    seed: int = 0,
    track: Track = pass_on,
) -> StudyAgreement:
    """Compute all coefficients of agreement that fit the study's kind and scale, and the human ceilings.

    Args:
        study: The study; with placeholder raters, coefficients that compare people are undefined.
        protocol: By default the study's own; if that leaves every choice open, the default of its kind.
        protocol_options: `OPTION=VALUE` each, changes to the protocol.
        resamples: For the 95 % percentile bootstrap over images (at system level over systems).
        seed: The seed of all draws.
        track: Shows the progress of single numbers.

    Raises:
        CorrelationInputError: There are no judgments, they are computed, or the protocol is invalid.
    """
    check_judged(study)
    if study.is_computed:
        raise CorrelationInputError(
            f"study {study.name}: its judgments are computed by one judge, so that there is neither an agreement of "
            "raters nor a human ceiling; the agreement of people with them is measured in studies by people of the "
            "same captions"
        )
    own = STARTING_PROTOCOLS[TaskKind(study.kind)] if study.protocol == CUSTOM else study.protocol
    chosen = read_protocol(protocol or own, options=protocol_options)
    judgments = load_judgments(study, chosen)
    criteria = chosen.criteria or (None,)
    wanted = [(criterion, name) for criterion in criteria for name in choose_coefficients(study, judgments.table)]
    ceilings = [(criterion, *each) for criterion in criteria for each in _list_ceilings(chosen, judgments)]
    return StudyAgreement(
        study=study.name,
        protocol=chosen.signature,
        resamples=resamples,
        seed=seed,
        agreement=tuple(
            _measure_agreement(judgments, criterion, name, resamples, seed)
            for criterion, name in track(wanted, total=len(wanted), label="agreement")
        ),
        ceilings=tuple(
            _measure_ceiling(judgments, chosen, criterion, method, measure, resamples, seed)
            for criterion, method, measure in track(ceilings, total=len(ceilings), label="human ceiling")
        ),
        truth=measure_truth(study, judgments, resamples=resamples, seed=seed),
    )


def choose_coefficients(study: Study, table: JudgmentTable) -> tuple[str, ...]:
    """Return the coefficients that fit the answers: choices, a labelled scale, or a slider."""
    if study.kind == TaskKind.SET_RATING:
        # Values are from 0 to 1, where 0 is the absence of what is rated.
        return (*_ORDERED, "krippendorff-ratio", *_ICC)
    version = study.versions.order_by("-number").first()
    scale = StudyDesign.from_json(version.design).scale if version else ()
    n_levels = len(scale) or len(np.unique(table.value))
    if study.kind == TaskKind.PAIRWISE or n_levels <= 2:
        return _NOMINAL
    if study.kind == TaskKind.BEST_WORST:
        # All raters' judgments of a task have the same mean, so an ICC has no variance between raters.
        return (*_NOMINAL, *_ORDERED, *_WEIGHTED)
    return (*_ORDERED, *_ICC) if n_levels > MOST_LEVELS else (*_NOMINAL, *_ORDERED, *_WEIGHTED, *_ICC)


def measure_table(table: JudgmentTable, *, coefficient: str, resamples: int, seed: int) -> AgreementResult:
    """Return the agreement of all judgments of a table, with bootstrap interval over images."""
    return measure_agreement(
        item=table.item,
        rater=table.rater,
        value=table.value,
        image=table.image[table.item],
        coefficient=coefficient,
        confidence=0.95,
        n_resamples=resamples,
        rng=np.random.default_rng(seed),
    )


def _select(table: JudgmentTable, criterion: str | None) -> JudgmentTable:
    return table if criterion is None or table.criterion is None else table.keep(table.criterion == criterion)


def _measure_agreement(
    judgments: StudyJudgments, criterion: str | None, coefficient: str, resamples: int, seed: int
) -> AgreementRow:
    table = _select(judgments.table, criterion)
    if judgments.has_placeholders and coefficient in NEEDS_PERSONS:
        n_items, n_raters = len(np.unique(table.item)), len(np.unique(table.rater))
        return AgreementRow(criterion, coefficient, None, None, None, 0, n_items, n_raters, _NOT_PERSONS)
    result = measure_table(table, coefficient=coefficient, resamples=resamples, seed=seed)
    return AgreementRow(
        criterion=criterion,
        coefficient=coefficient,
        value=keep_finite(result.value),
        low=keep_finite(result.low),
        high=keep_finite(result.high),
        n_items=result.n_items,
        n_left_out=result.n_left_out,
        n_raters=result.n_raters,
        reason=result.reason or _explain_infinite(value=result.value, low=result.low, high=result.high),
    )


def _explain_infinite(**numbers: float | None) -> str | None:
    """Return which numbers are infinite and why; they are printed as none, since JSON has no infinity."""
    names = [name for name, number in numbers.items() if number is not None and isinf(number)]
    return f"{' and '.join(names)} minus infinity, because all items have the same mean" if names else None


def _list_ceilings(protocol: Protocol, judgments: StudyJudgments) -> Iterator[tuple[str, Measure]]:
    """Yield method and measure of each ceiling; placeholder raters allow random halves only."""
    methods = ("split-half",) if judgments.has_placeholders else ("mean-pairwise", "leave-one-out", "split-half")
    for measure in protocol.measures:
        if measure.coefficient == "accuracy":
            yield METHOD, measure
            continue
        for method in methods:
            yield method, measure
            if measure.coefficient in PUBLISHED_BESIDE:
                yield method, replace(measure, coefficient=PUBLISHED_BESIDE[measure.coefficient])


def _measure_ceiling(
    judgments: StudyJudgments,
    protocol: Protocol,
    criterion: str | None,
    method: str,
    measure: Measure,
    resamples: int,
    seed: int,
) -> CeilingRow:
    axis = "systems" if measure.level == "system" else "images"
    interval = IntervalRequest("percentile", (axis,), n_resamples=resamples)
    if measure.coefficient == "accuracy":
        category = None if not protocol.categories else TOTAL if TOTAL in protocol.categories else MEAN
        place = ResultMeasure(measure.level, measure.coefficient, category)
        found = measure_votes(protocol, judgments.table, place, interval=interval, seed=seed)
    else:
        place = ResultMeasure("item" if measure.level == "pair" else measure.level, measure.coefficient)
        used = _use_judgments(judgments, protocol, criterion)
        # Without interval for random halves, since resampling each of them would take minutes.
        resampled = None if method == "split-half" else interval
        found = measure_judgments(used, method, place, interval=resampled, seed=seed)
    value, low, high = (keep_finite(number) for number in (found.value, found.low, found.high))
    return CeilingRow(
        criterion, method, measure.coefficient, measure.level, value, low, high, found.n, found.n_parts, found.reason
    )


def _use_judgments(judgments: StudyJudgments, protocol: Protocol, criterion: str | None) -> JudgmentTable:
    """Return the judgments that the protocol's numbers use."""
    if protocol.is_pairwise:
        return judgments.table
    table, nothing = judgments.table, np.zeros(len(judgments.table.items))
    data = RatedItems.build(table, scores=nothing, in_references=judgments.in_references)
    return table.keep(select_judgments(protocol, data, part=criterion))


def keep_finite(value: float | None) -> float | None:
    """Return a value as a float, None if it is not finite."""
    # An ICC is minus infinity, possibly as a bound, if all items of a resample have the same mean.
    return float(value) if value is not None and isfinite(value) else None

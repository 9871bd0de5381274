"""Evaluate a protocol for many metrics, resampling metrics with the same observations together."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.rated_items import pool_ratings, repools, select_judgments
from correlation.protocols.recipe import Measure, Protocol
from correlation.protocols.row import ResultRow, keep_defined
from correlation.resampling.intervals import IntervalRequest, bound_resamples
from correlation.resampling.joint_resampling import resample_jointly
from correlation.resampling.parallel import run_tasks
from correlation.tables import JudgmentTable
from correlation.validation import FloatArray


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """Evaluation of one metric at a time; a task is the name of a metric."""

    protocol: Protocol
    data: Mapping[str, RatedItems | JudgedPairs]
    interval: IntervalRequest | None
    seed: int

    def prepare(self) -> Callable[[str], tuple[ResultRow, ...]]:
        # The same seed for each metric, so that all use the same resamples.
        return lambda name: evaluate_protocol(
            self.protocol, self.data[name], metric=name, interval=self.interval, rng=np.random.default_rng(self.seed)
        )


def evaluate_metrics(
    protocol: Protocol,
    data_by_metric: Mapping[str, RatedItems | JudgedPairs],
    *,
    interval: IntervalRequest | None,
    seed: int,
    processes: int = 1,
) -> Iterator[tuple[str, tuple[ResultRow, ...]]]:
    """Yield each metric with its result rows, in the order of `data_by_metric`.

    The rows equal those of `evaluate_protocol` with a generator of that seed, up to rounding of the bounds; the number
    of processes does not affect them. All metrics must have the same judgments.
    """
    protocol, data_by_metric = _share_work(protocol, data_by_metric, interval)
    samples = _resample(protocol, data_by_metric, interval, seed, processes)
    alone = [name for name in data_by_metric if name not in samples]
    evaluated = run_tasks(_Evaluation(protocol, dict(data_by_metric), interval, seed), alone, processes=processes)
    for name, data in data_by_metric.items():
        if name in samples and interval is not None:
            rows = evaluate_protocol(protocol, data, metric=name)
            yield name, tuple(_bound(row, sample, interval) for row, sample in zip(rows, samples[name], strict=True))
        else:
            yield name, next(evaluated)


def _share_work(
    protocol: Protocol, data_by_metric: Mapping[str, RatedItems | JudgedPairs], interval: IntervalRequest | None
) -> tuple[Protocol, Mapping[str, RatedItems | JudgedPairs]]:
    """Do the work common to all metrics once: encode keys and aggregate judgments.

    This requires that all metrics have the identical table. Aggregated judgments are observations with rule `each`.
    """
    tables = [data.votes if isinstance(data, JudgedPairs) else data.judgments for data in data_by_metric.values()]
    if not tables or any(table is not tables[0] for table in tables):
        return protocol, data_by_metric
    table = tables[0].number_keys()
    first = next(iter(data_by_metric.values()))
    if isinstance(first, RatedItems) and protocol.ratings != "each" and not (interval and repools(protocol, interval)):
        table = _pool_judgments(protocol, replace(first, judgments=table))
        protocol = replace(protocol, ratings="each")
    return protocol, {
        name: replace(data, votes=table) if isinstance(data, JudgedPairs) else replace(data, judgments=table)
        for name, data in data_by_metric.items()
    }


def _pool_judgments(protocol: Protocol, data: RatedItems) -> JudgmentTable:
    """Aggregate the judgments that the protocol uses to one per item and criterion, with a placeholder rater."""
    table = data.judgments
    items, targets, criteria = [], [], []
    for criterion in protocol.criteria or (None,):
        item, target = pool_ratings(protocol.ratings, table, select_judgments(protocol, data, part=criterion))
        items.append(item)
        targets.append(target)
        criteria += [str(criterion)] * len(item)
    item = np.concatenate(items)
    return replace(
        table,
        item=item,
        value=np.concatenate(targets),
        rater=np.zeros(len(item), dtype=np.str_),
        criterion=np.asarray(criteria, dtype=np.str_) if protocol.criteria else None,
    )


def _bound(row: ResultRow, sample: FloatArray, request: IntervalRequest) -> ResultRow:
    if row.value is None:
        return row
    bounds = bound_resamples(sample, request)
    return replace(row, low=keep_defined(bounds.low), high=keep_defined(bounds.high))


def _resample(
    protocol: Protocol,
    data_by_metric: Mapping[str, RatedItems | JudgedPairs],
    interval: IntervalRequest | None,
    seed: int,
    processes: int,
) -> dict[str, list[FloatArray]]:
    """Return the values in all resamples, one array per row, for metrics that can be resampled together."""
    rated = {name: data for name, data in data_by_metric.items() if isinstance(data, RatedItems)}
    if (
        interval is None
        or interval.method != "percentile"
        or repools(protocol, interval)
        or any(measure.level != "item" for measure in protocol.measures)
        or protocol.categories
        or len(rated) < len(data_by_metric)
        or any(len(data.scores) > 1 for data in rated.values())
    ):
        return {}
    entropy = int(np.random.default_rng(seed).integers(2**63))
    parts = [
        _resample_measure(protocol, measure, criterion, rated, interval, entropy, processes)
        for measure in protocol.measures
        for criterion in protocol.criteria or (None,)
    ]
    return {name: [part[name] for part in parts] for name in rated if all(name in part for part in parts)}


def _resample_measure(
    protocol: Protocol,
    measure: Measure,
    criterion: str | None,
    rated: Mapping[str, RatedItems],
    interval: IntervalRequest,
    entropy: int,
    processes: int,
) -> dict[str, FloatArray]:
    first = next(iter(rated.values()))
    table = first.judgments
    used = select_judgments(protocol, first, part=criterion)
    item, target = pool_ratings(protocol.ratings, table, used)
    return resample_jointly(
        {name: data.scores[0][item] for name, data in rated.items()},
        target,
        coefficient=measure.coefficient,
        interval=interval,
        rng=np.random.default_rng(entropy),
        groups=table.image[item],
        systems=None if table.system is None else table.system[item],
        raters=table.rater[used] if protocol.ratings == "each" else None,
        processes=processes,
    )

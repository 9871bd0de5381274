"""Compare systems from files: a row for each system and metric, with intervals and paired tests, without a database.

References
----------
.. [1] P. Koehn (2004). Statistical Significance Tests for Machine Translation Evaluation. EMNLP.
.. [2] S. Riezler, J. T. Maxwell (2005). On Some Pitfalls in Automatic Evaluation and Significance Testing for MT. ACL
   Workshop on Evaluation Measures.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from html import escape
from itertools import combinations
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from accordance.frames import score_metrics
from accordance.rows import Caption, CaptionRows
from accordance.scored import ScoredRows
from accordance.showing import Figure, format_html
from correlation.comparison.multiple import adjust_p_values
from correlation.comparison.permutation import PermutationPlan, count_extremes
from correlation.resampling.counts import BootstrapPlan, Units, choose_chunk
from correlation.resampling.intervals import IntervalRequest, bound_resamples
from metrics_plugins.cli.inputs import name_system, read_inputs
from metrics_plugins.readers import InputError

if TYPE_CHECKING:
    import pandas as pd

_Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SystemRow:
    """The score of one system: `low` and `high` bound it over images, at 95 %; NaN where undefined."""

    system: str
    metric: str
    value: float
    low: float
    high: float
    n_images: int
    n_captions: int
    n_missing: int


@dataclass(frozen=True, slots=True)
class SystemDifference:
    """Two systems by one metric: value of the first minus value of the second, and two-sided p-values of the paired
    permutation test over images; `p_adjusted` is corrected by Holm over the pairs of the metric."""

    metric: str
    first: str
    second: str
    difference: float
    p_value: float
    p_adjusted: float


@dataclass(frozen=True, slots=True, repr=False)
class SystemTable:
    """The comparison of systems.

    Attributes:
        rows: Metric by metric, and within a metric in the order of the systems.
        differences: Every pair of systems, metric by metric.
        signatures: The signature of each metric.
        n_resamples: The number of bootstrap resamples and of permutations.
        seed: The seed of both.
    """

    rows: tuple[SystemRow, ...]
    differences: tuple[SystemDifference, ...]
    signatures: Mapping[str, str]
    n_resamples: int
    seed: int

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each system and metric."""
        import pandas as pd

        return pd.DataFrame([asdict(row) for row in self.rows])

    def plot(self, metric: str | None = None) -> Figure:
        """Return the forest plot of the systems by one metric, by default the first.

        Raises:
            KeyError: The metric was not computed.
            CorrelationInputError: The score of every system is undefined.
        """
        from correlation.figures import NamedInterval, draw_intervals

        name = next(iter(self.signatures)) if metric is None else metric
        signature = self.signatures[name]
        rows = [
            NamedInterval(each.system, each.value, each.low, each.high) for each in self.rows if each.metric == name
        ]
        note = "Bars: 95 % percentile intervals over images."
        return Figure(draw_intervals(rows, title="Scores of systems", axis=signature.split("|")[0], note=note))

    def __repr__(self) -> str:
        values = ", ".join(f"{each.system} {each.metric} {each.value:.4f}" for each in self.rows)
        return f"SystemTable({values})"

    def _repr_html_(self) -> str:
        signature = f"{self.n_resamples} resamples, seed {self.seed}"
        tables = [format_html(_COLUMNS, map(astuple, self.rows), caption="95 % over images", signature=signature)]
        if self.differences:
            rows = map(astuple, self.differences)
            tables.append(format_html(_PAIR_COLUMNS, rows, caption="Paired permutation tests", signature=signature))
        return "".join(tables) + "".join(f"<p><code>{escape(each)}</code></p>" for each in self.signatures.values())


_COLUMNS = tuple(each.name for each in fields(SystemRow))
_PAIR_COLUMNS = tuple(each.name for each in fields(SystemDifference))


def compare_systems(
    captions: Iterable[Caption],
    references: Iterable[Sequence[str]] | None = None,
    *,
    systems: Iterable[str],
    images: Iterable[str | Path],
    metrics: Sequence[str],
    n_resamples: int = 1000,
    device: str = "cpu",
    seed: int = 0,
) -> SystemTable:
    """Score the captions of several systems, and compare the systems as `compare_files` does.

    Args:
        captions: A text for each row; for set-level metrics, a list of texts.
        references: The references of each row.
        systems: The system that wrote each caption.
        images: The key or file of each row's image; every system must have the same images, equally often.
        metrics: Ids of metrics of segments or sets.
        n_resamples: The number of bootstrap resamples and of permutations, at least 1.
        device: Where metrics with encoders compute.
        seed: The seed of the resamples, and of metrics that draw at random.

    Raises:
        ValueError: Columns differ in length, `metrics` is a text or names a metric twice, `n_resamples` is below 1, or
            the systems have different images.
        MetricError: A metric is unknown, has no score of single captions, or fails.
    """
    if isinstance(metrics, str) or len(set(metrics)) != len(metrics):
        raise ValueError(f"`metrics` must be a list of different ids, got {metrics!r}")
    if n_resamples < 1:
        raise ValueError(f"`n_resamples` must be at least 1, got {n_resamples}")
    rows, names = CaptionRows.make(captions, references, images), np.asarray(tuple(systems))
    if len(names) != len(rows.captions):
        raise ValueError(f"`systems` must have one entry per caption ({len(rows.captions)}), got {len(names)}")
    rows_of = {str(name): np.flatnonzero(names == name) for name in dict.fromkeys(names.tolist())}
    keys = rows.images or ()
    counts = {name: Counter(keys[row] for row in own) for name, own in rows_of.items()}
    if not counts:
        raise ValueError("there are no captions")
    first, expected = next(iter(counts.items()))
    for name, own in counts.items():
        if own != expected:
            image = min((own - expected) + (expected - own))
            raise ValueError(
                f"every system must have the same images, equally often: image {image} has {own[image]} captions of "
                f"{name} and {expected[image]} of {first}"
            )
    return _compare(rows, rows_of, metrics=metrics, n_resamples=n_resamples, device=device, seed=seed)


def compare_files(
    files: Sequence[Path],
    *,
    references: Path | None,
    metrics: Sequence[str],
    n_resamples: int = 1000,
    device: str = "cpu",
    seed: int = 0,
    plugins: Sequence[Path] = (),
) -> SystemTable:
    """Score a file of captions for each system, and compare the systems.

    Images are the units of the bootstrap [1]_ and of the permutation test, which swaps the captions of two systems on a
    random half of the images [2]_; a metric with sufficient statistics, such as BLEU, is computed anew from the totals.

    Args:
        files: One file for each system, which is named as the file is without its ending.
        references: The references of the images.
        metrics: Ids of metrics of single captions.
        n_resamples: The number of bootstrap resamples and of permutations, at least 1.
        device: Where metrics with encoders compute.
        seed: The seed of the resamples, and of metrics that draw at random.
        plugins: Plugin files that are not installed.

    Raises:
        InputError: A file is invalid, two files give a system the same name, or they are not of the same images.
        MetricError: A plugin file is not valid; a metric is unknown, has no score of single captions, or fails.
    """
    captions, rows_of = _read_systems(files, references)
    return _compare(
        captions, rows_of, metrics=metrics, n_resamples=n_resamples, device=device, seed=seed, plugins=plugins
    )


def _compare(
    captions: CaptionRows,
    rows_of: Mapping[str, _Rows],
    *,
    metrics: Sequence[str],
    n_resamples: int,
    device: str,
    seed: int,
    plugins: Sequence[str | Path] = (),
) -> SystemTable:
    scored = score_metrics(captions, metrics=metrics, params={}, device=device, seed=seed, plugins=plugins)
    images = np.unique(np.asarray(captions.images), return_inverse=True)[1].astype(np.int64)
    entropy = int(np.random.default_rng(seed).integers(2**63))
    rows, differences = [], []
    for name, each in scored.items():
        plan = BootstrapPlan(("images",), n_resamples, entropy)
        rows += [_bound(system, name, each, own, images=images, plan=plan) for system, own in rows_of.items()]
        swaps = PermutationPlan(n_resamples, entropy)
        differences += _test_pairs(name, each, rows_of, images=images, plan=swaps)
    signatures = {name: str(each.run.signature) for name, each in scored.items()}
    return SystemTable(tuple(rows), tuple(differences), signatures, n_resamples, seed)


def _read_systems(files: Sequence[Path], references: Path | None) -> tuple[CaptionRows, dict[str, _Rows]]:
    rows, rows_of, captioned = CaptionRows(), dict[str, _Rows](), Counter[str]()
    for path in files:
        system = name_system(path)
        if system in rows_of:
            raise InputError(f"{path}: another file has the name {system!r} of this system, too: rename one")
        found = read_inputs(path, references=references)
        own = Counter(found.image_ids)
        if rows_of and own != captioned:
            image = min((own - captioned) + (captioned - own))
            raise InputError(
                f"{path}: every system must have the same images as {files[0]}, equally often; image {image} has "
                f"{own[image]} captions here and {captioned[image]} there"
            )
        captioned = own
        start = len(rows.captions)
        rows_of[system] = np.arange(start, start + len(found.candidates))
        known = found.references
        lists = None if known is None else [known[image] for image in found.image_ids]
        rows = rows.join(CaptionRows.make(found.candidates, lists, found.image_ids))
    return rows, rows_of


def _bound(
    system: str, metric: str, scored: ScoredRows, own: _Rows, *, images: _Rows, plan: BootstrapPlan
) -> SystemRow:
    units = Units.build(images=images[own])
    values = [_summarize(scored, [own], [units.weigh(counts)]) for counts in plan.iterate(units)]
    request = IntervalRequest("percentile", ("images",), plan.n_resamples)
    interval = bound_resamples(np.concatenate(values), request)
    return SystemRow(
        system=system,
        metric=metric,
        value=scored.summarize_rows(own),
        low=interval.low,
        high=interval.high,
        n_images=units.sizes["images"],
        n_captions=len(own),
        n_missing=int(np.isnan(scored.run.scores.values[own]).sum()),
    )


def _test_pairs(
    metric: str, scored: ScoredRows, rows_of: Mapping[str, _Rows], *, images: _Rows, plan: PermutationPlan
) -> list[SystemDifference]:
    values = {system: scored.summarize_rows(own) for system, own in rows_of.items()}
    found = []
    for first, second in combinations(rows_of, 2):
        difference = values[first] - values[second]
        permuted = _permute(scored, rows_of[first], rows_of[second], images=images, plan=plan)
        found.append((first, second, difference, count_extremes(permuted, difference)))
    adjusted = adjust_p_values([p_value for *_, p_value in found], correction="holm").tolist()
    return [SystemDifference(metric, *each, p_adjusted) for each, p_adjusted in zip(found, adjusted, strict=True)]


def _permute(
    scored: ScoredRows, first: _Rows, second: _Rows, *, images: _Rows, plan: PermutationPlan
) -> npt.NDArray[np.float64]:
    """Return the difference of two systems in each permutation; the two have the same images."""
    parts = []
    step = choose_chunk(len(first) + len(second))
    for start in range(0, plan.n_resamples, step):
        stop = min(start + step, plan.n_resamples)
        swaps = plan.draw_swaps(int(images.max()) + 1, start=start, stop=stop)
        of_first, of_second = swaps[:, images[first]].astype(float), swaps[:, images[second]].astype(float)
        parts.append(
            _summarize(scored, [first, second], [1 - of_first, of_second])
            - _summarize(scored, [first, second], [of_first, 1 - of_second])
        )
    return np.concatenate(parts) if parts else np.array([nan])


def _summarize(
    scored: ScoredRows, rows: Sequence[_Rows], weights: Sequence[npt.NDArray[np.float64]]
) -> npt.NDArray[np.float64]:
    whole = np.zeros((len(weights[0]), len(scored.run.scores.values)))
    for own, each in zip(rows, weights, strict=True):
        whole[:, own] = each
    return scored.summarize_weighted(whole)

"""Load a metric and compute its score of captions, at once or in parts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from accordance.rows import Caption, CaptionRows
from accordance.scored import score_rows
from accordance.showing import format_html
from metrics_plugins.api import Fittable, Metric, MetricInfo
from metrics_plugins.runtime import Registry, load_registry

if TYPE_CHECKING:
    from metrics_plugins.runtime.checks import CheckResult


@dataclass(frozen=True, slots=True, eq=False)
class MetricResult:
    """The result of one metric.

    Attributes:
        metric: The metric's id.
        value: The score of all captions together; NaN if undefined.
        values: `(n_captions,)` the score of each caption, NaN where undefined; one value for a corpus-level metric.
        signature: The signature of the numbers, with everything that determines them.
    """

    metric: str
    value: float
    values: npt.NDArray[np.float64]
    signature: str

    @property
    def n_missing(self) -> int:
        """The number of undefined values."""
        return int(np.isnan(self.values).sum())

    def __repr__(self) -> str:
        return f"MetricResult({self.signature}: {self.value:.4f}, {len(self.values)} values)"

    def _repr_html_(self) -> str:
        missing = f", {self.n_missing} undefined" if self.n_missing else ""
        return (
            f"<p><strong>{escape(self.metric)}</strong> {self.value:.4f} ({len(self.values)} values{missing})<br>"
            f"<code>{escape(self.signature)}</code></p>"
        )


@dataclass(frozen=True, slots=True, eq=False)
class CheckReport:
    """What the conformance checks found.

    Attributes:
        metric: The metric's id.
        results: A result for each check that applies, in order.
    """

    metric: str
    results: "tuple[CheckResult, ...]"

    @property
    def passed(self) -> bool:
        """Whether all checks passed."""
        return all(result.passed for result in self.results)

    def __repr__(self) -> str:
        n_passed = sum(result.passed for result in self.results)
        lines = [str(result) for result in self.results if not result.passed]
        return "\n".join([*lines, f"{n_passed} of {len(self.results)} checks of {self.metric} passed"])

    def _repr_html_(self) -> str:
        rows = [("ok" if each.passed else "FAILED", each.check, each.message or each.clause) for each in self.results]
        n_passed = sum(result.passed for result in self.results)
        counted = f"{n_passed} of {len(self.results)} passed"
        return format_html(("", "check", "clause"), rows, caption=f"Checks of {self.metric}", signature=counted)


class LoadedMetric:
    """A metric with its parameters, which scores captions given at once or in parts."""

    def __init__(self, built: Metric | Fittable, *, seed: int = 0) -> None:
        self._built = built
        self._seed = seed
        self._rows = CaptionRows()

    def __repr__(self) -> str:
        return f"LoadedMetric({self.signature})"

    @property
    def info(self) -> MetricInfo:
        """The declaration of the metric: level, inputs, bounds, citation."""
        return self._built.info

    @property
    def signature(self) -> str:
        return str(self._built.signature)

    def update(
        self,
        captions: Iterable[Caption],
        references: Iterable[Sequence[str]] | None = None,
        *,
        images: Iterable[str | Path] | None = None,
    ) -> None:
        """Add captions to those that `compute()` scores; the arguments are those of `compute`.

        Raises:
            ValueError: The columns differ in length, or references or images were given in only some updates.
        """
        self._rows = self._rows.join(CaptionRows.make(captions, references, images))

    def reset(self) -> None:
        """Forget all captions that were added."""
        self._rows = CaptionRows()

    def compute(
        self,
        captions: Iterable[Caption] | None = None,
        references: Iterable[Sequence[str]] | None = None,
        *,
        images: Iterable[str | Path] | None = None,
    ) -> MetricResult:
        """Score captions, or without arguments all captions added by `update`, which has the very same result.

        Args:
            captions: A text for each row; for a set-level metric, a list of texts.
            references: The reference captions of each row.
            images: The key or file of each row's image; the references of an image that occurs in several rows are
                learned from once. If None, each row has an image of its own.

        Raises:
            ValueError: There are no captions, or the columns differ in length.
            MetricError: The metric needs an input that is missing, or returns invalid scores.
        """
        rows = self._rows if captions is None else CaptionRows.make(captions, references, images)
        if not rows.captions:
            raise ValueError("there are no captions: pass them to `compute`, or to `update` first")
        batch = rows.make_batch()
        scored = score_rows(self._built, batch, documents=rows.select_documents(batch), seed=self._seed)
        return MetricResult(self.info.id, scored.run.corpus, scored.run.scores.values, str(scored.run.signature))


def load(
    metric: str, /, *, device: str = "cpu", seed: int = 0, plugins: Sequence[str | Path] = (), **params: object
) -> LoadedMetric:
    """Return an installed metric, or one of a plugin file.

    Args:
        metric: The id, as `accordance list` prints it.
        device: Where a metric with an encoder computes.
        seed: The seed of metrics that draw at random.
        plugins: Plugin files (docs/plugin-tutorial.md). A file is imported once: start Python again after a change.
        params: Parameters of the metric, listed in docs/metrics.md.

    Raises:
        UnknownMetric: No plugin has the metric; the message has the nearest ids.
        PluginError: A plugin file is not valid.
        MetricError: The metric has no such parameter, or cannot be built.
    """
    return LoadedMetric(get_registry(plugins).build(metric, device=device, **params), seed=seed)


def check(metric: str, /, *, plugins: Sequence[str | Path] = ()) -> CheckReport:
    """Check a metric against the contract, clause by clause, as `accordance check` does.

    Args:
        metric: The id.
        plugins: As in `load`.

    Raises:
        UnknownMetric: No plugin has the metric.
        PluginError: A plugin file is not valid.
        MissingResource: What the metric computes with is not installed.
    """
    from metrics_plugins.runtime.checks import check_metric

    return CheckReport(metric, check_metric(metric, registry=get_registry(plugins)))


def get_registry(plugins: Sequence[str | Path] = ()) -> Registry:
    """Return the installed metrics and those of plugin files, which are looked up once in a process."""
    return _load_registry(tuple(str(Path(plugin).resolve()) for plugin in plugins))


@cache
def _load_registry(plugins: tuple[str, ...]) -> Registry:
    return load_registry(single=[Path(plugin) for plugin in plugins])

"""An adapter for text metrics of torchmetrics, which are computed for one candidate at a time."""

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.metadata import version as find_version
from typing import Any, Final, Literal, Unpack

from metrics_plugins.adapters.adapted import Adaptation, AdaptedMetric, list_rows, make_class
from metrics_plugins.adapters.declaring import Declaration, declare, list_options, resolve
from metrics_plugins.api import Batch, Metric, Scores
from metrics_plugins.api.signature import SignatureValue

# The tolerance for scores beyond their bounds due to rounding, as torchmetrics computes in single precision.
_SLACK: Final = 1e-6


def adapt_torchmetrics(
    factory: str | Callable[..., Any],
    *,
    options: Mapping[str, SignatureValue] | None = None,
    references: Literal["together", "best"] = "together",
    output: str = "",
    **declaration: Unpack[Declaration],
) -> type[Metric]:
    """Return a segment-level metric that resets, updates and computes a torchmetrics metric for each row.

    A row has no score (NaN) if it has no references or its result is not finite (such as the word error rate for a
    reference without words). torchmetrics computes in single precision: a score slightly beyond a bound due to rounding
    is set to the bound. The version of torchmetrics is part of the signature.

    Args:
        factory: A name such as `"torchmetrics.text:CHRFScore"`, so that torch is imported only for scoring; or a
            function that imports and creates the metric.
        options: Arguments of the factory, which become parameters of the metric with these defaults.
        references: `together` for a metric that takes several references of a candidate; `best` for one that takes a
            single reference, which is computed for each reference, and the best score counts.
        output: The key of the score, for a metric that computes a dictionary.
        declaration: The fields of `Declaration`.

    Raises:
        ValueError: A field of the declaration is invalid.
    """
    info = declare(**declaration)
    base = _BASES[references]
    source = (factory, output)
    return make_class(Adaptation(base, source=source, info=info, parameters=list_options(options or {})))


class TorchMetric(AdaptedMetric):
    """Computes the metric with all references of a candidate together."""

    def describe(self) -> Mapping[str, SignatureValue]:
        return {**self.params, "torchmetrics": find_version("torchmetrics")}

    @cached_property
    def _peer(self) -> Any:
        factory, _ = self.adaptation.source
        return resolve(factory)(**self.params).to(self.device)

    def score(self, batch: Batch) -> Scores:
        rows = list_rows(batch, self.info)
        return Scores.make(batch.keys, [math.nan if row is None else self._rate(*row) for row in rows])

    def _rate(self, candidate: str, references: tuple[str, ...]) -> float:
        return self._ask([candidate], [list(references)])

    def _ask(self, candidates: list[str], targets: list[Any]) -> float:
        self._peer.reset()
        self._peer.update(candidates, targets)
        _, output = self.adaptation.source
        computed = self._peer.compute()
        value = float(computed[output] if output else computed)
        return _settle(value, bounds=self.info.bounds) if math.isfinite(value) else math.nan


class SingleReferenceTorchMetric(TorchMetric):
    """Computes the metric with one reference at a time; the best score counts."""

    def _rate(self, candidate: str, references: tuple[str, ...]) -> float:
        answers = [self._ask([candidate], [reference]) for reference in references]
        finite = [answer for answer in answers if not math.isnan(answer)]
        best = max if self.info.higher_is_better else min
        return best(finite, default=math.nan)


_BASES: Final[Mapping[str, type[TorchMetric]]] = {"together": TorchMetric, "best": SingleReferenceTorchMetric}


def _settle(value: float, *, bounds: tuple[float, float]) -> float:
    for bound in bounds:
        if math.isclose(value, bound, rel_tol=_SLACK, abs_tol=_SLACK) and not bounds[0] <= value <= bounds[1]:
            return bound
    return value

"""A metric out of a text metric of torchmetrics, asked for one candidate at a time."""

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.metadata import version as find_version
from typing import Any, Final, Literal

from metrics_plugins.adapters.adapted import Adaptation, AdaptedMetric, list_rows, make_class
from metrics_plugins.adapters.declaring import declare, list_options, resolve
from metrics_plugins.api import Batch, Metric, Scores
from metrics_plugins.api.signature import SignatureValue

# torchmetrics computes in single precision: so far may a score pass its bound by rounding.
_SLACK: Final = 1e-6


def adapt_torchmetrics(
    factory: str | Callable[..., Any],
    *,
    id: str,  # noqa: A002  (the name that MetricInfo has for it)
    title: str,
    bounds: tuple[float, float],
    higher_is_better: bool,
    citation: str,
    version: str,
    options: Mapping[str, SignatureValue] | None = None,
    references: Literal["together", "best"] = "together",
    output: str = "",
) -> type[Metric]:
    """Return a segment-level metric that resets, updates and computes a torchmetrics metric for each row.

    A row without references, and one where the result is not finite (such as the word error rate against a reference
    without words), has no score (NaN). torchmetrics computes in single precision: a score that passes a bound by such
    rounding is set to the bound. The version of torchmetrics prints in the signature.

    Args:
        factory: Such as `"torchmetrics.text:CHRFScore"`: by name, so that torch is imported only when it scores. Or a
            function that imports it and makes the metric.
        id: As for `adapt_function`, with all that follows.
        title: The name as papers print it.
        bounds: Lowest and highest possible score.
        higher_is_better: Whether a larger score means a better caption.
        citation: Where the metric is defined.
        version: Changes whenever a score may change.
        options: Arguments of the factory. They become parameters of the metric with these defaults.
        references: `together` for a metric that takes several references of one candidate; `best` for one that takes
            a single reference: it is asked for each, and the best answer counts.
        output: Which entry is the score, for a metric that computes a dictionary.

    Raises:
        ValueError: A field of the declaration breaks its rule.
    """
    info = declare(
        id=id, title=title, bounds=bounds, higher_is_better=higher_is_better, citation=citation, version=version
    )
    base = _BASES[references]
    source = (factory, output)
    return make_class(Adaptation(base, source=source, info=info, parameters=list_options(options or {})))


class TorchMetric(AdaptedMetric):
    """Asks with all references of a candidate together."""

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
    """Asks with one reference at a time; the best answer counts."""

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

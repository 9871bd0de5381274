"""Advice on a metric's declaration: what the contract leaves to the author, but readers miss."""

from metrics_plugins.api.info import MetricInfo


def advise(info: MetricInfo) -> tuple[str, ...]:
    """Return a sentence for each thing that is missing; it breaks no clause of the contract, so no check fails."""
    if info.card is None:
        return ("card: there is none that says what it measures, what it needs, its known weaknesses and what to cite",)
    return ()

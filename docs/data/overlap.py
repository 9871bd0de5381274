"""The plugin of docs/metric-author.ipynb: the share of a candidate's words that occur in a reference."""

from metrics_plugins.adapters import adapt_function
from metrics_plugins.api import hookimpl


def rate_overlap(candidate: str, references: tuple[str, ...]) -> float:
    known = {word for reference in references for word in reference.lower().split()}
    words = candidate.lower().split()
    return sum(word in known for word in words) / len(words) if words else float("nan")


Overlap = adapt_function(
    rate_overlap, id="overlap", title="Overlap", bounds=(0.0, 1.0), higher_is_better=True, citation="-", version="1"
)


@hookimpl
def register_metrics() -> list[type]:
    return [Overlap]

"""The metrics of hallucinated objects, and the tokeniser that they read captions with."""

from collections.abc import Iterable

from metrics_plugins.api import Fittable, Metric, hookimpl
from metrics_plugins.api.providers import Tokenizer


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return CHAIRi and CHAIRs."""
    from metrics_plugins.metrics.chair.chair import ChairI, ChairS

    return ChairI, ChairS


@hookimpl
def provide_tokenizer(name: str) -> Tokenizer | None:
    """Return the tokeniser `nltk-words`."""
    if name != "nltk-words":
        return None
    from metrics_plugins.metrics.chair.nltk_words import NltkWordsTokenizer

    return NltkWordsTokenizer()

"""The entry point of the plugin, with its metrics and its tokenizer."""

from accordance_example_metrics.letters import LetterTokenizer
from accordance_example_metrics.overlap import WordOverlap
from accordance_example_metrics.rarity import WordRarity
from accordance_example_metrics.variety import SetVariety
from metrics_plugins.api import hookimpl
from metrics_plugins.api.providers import Tokenizer


@hookimpl
def register_metrics() -> tuple[type, ...]:
    """Offer the three metrics."""
    return WordOverlap, SetVariety, WordRarity


@hookimpl
def provide_tokenizer(name: str) -> Tokenizer | None:
    """Offer the tokenizer `letters`."""
    return LetterTokenizer() if name == "letters" else None

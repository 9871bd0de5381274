"""The plugin that provides the tokeniser `ptb`."""

from collections.abc import Sequence
from dataclasses import dataclass

from metrics_plugins.api import hookimpl
from metrics_plugins.api.providers import Tokenizer


@dataclass(frozen=True, slots=True)
class PtbTokenizer:
    """The Penn Treebank tokens of the COCO caption evaluation: lower case, punctuation removed (`text.ptb`)."""

    name: str
    version: str

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        """Return one line per caption: its tokens joined by single spaces, "" for a caption without tokens."""
        from metrics_plugins.text.ptb import tokenizer as ptb

        return ptb.tokenize_captions(captions)


@hookimpl
def provide_tokenizer(name: str) -> Tokenizer | None:
    """Return the tokeniser `ptb`."""
    if name != "ptb":
        return None
    from metrics_plugins.text.ptb import tokenizer as ptb

    return PtbTokenizer(name="ptb", version=ptb.VERSION)

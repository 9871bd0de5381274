"""The language of captions: propositions, and one grammar that parses and realises them."""

from captioning.worlds.language.grammar import (
    Grammar,
    is_grammatical,
    load_grammar,
    parse_caption,
    realise_caption,
    tokenize_sentence,
    write_sentence,
)

__all__ = [
    "Grammar",
    "is_grammatical",
    "load_grammar",
    "parse_caption",
    "realise_caption",
    "tokenize_sentence",
    "write_sentence",
]

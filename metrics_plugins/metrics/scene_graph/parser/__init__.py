"""The bundled parser for SPICE, which finds tuples in captions with the dependencies of spaCy.

The rules follow Anderson et al. (2016, section 3.1) and Schuster et al. (2015), but dependencies and tags come from a
small neural model instead of Stanford's parser of 2015.
"""

from collections.abc import Sequence
from typing import Final

from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposals

PARSER_VERSION: Final = "1"
"""To be changed whenever the tuples for the same model change."""


def parse_captions(captions: Sequence[Sequence[str]]) -> list[Proposals]:
    """Return the tuples proposed for each caption, in the order in which they are to be merged.

    The tuples of a caption depend only on its tokens; equal captions are parsed once. Any text is accepted; a caption
    without tokens has no tuples. This function may be called from several threads and from forked processes.

    Args:
        captions: Penn Treebank tokens in lower case, without punctuation.

    Raises:
        MissingResource: spaCy or its model is not installed.
    """
    from metrics_plugins.metrics.scene_graph.parser.model import borrow_model
    from metrics_plugins.metrics.scene_graph.parser.rules import propose_tuples

    texts = [tuple(filter(None, tokens)) for tokens in captions]
    distinct = [tokens for tokens in dict.fromkeys(texts) if tokens]
    found: dict[tuple[str, ...], Proposals] = {(): ()}
    if distinct:
        with borrow_model() as model:
            for tokens, (tags, labels, heads) in zip(distinct, model.read_captions(distinct), strict=True):
                found[tokens] = propose_tuples(tokens, tags=tags, labels=labels, heads=heads, lemmas=model.lemmas)
    return [found[tokens] for tokens in texts]

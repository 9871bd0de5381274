"""The rules applied to a whole caption, from tags and dependencies to tuples (Anderson et al. 2016, section 3.1)."""

from collections.abc import Sequence

from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposals
from metrics_plugins.metrics.scene_graph.parser.lemmas import Lemmas
from metrics_plugins.metrics.scene_graph.parser.mentions import Mentions
from metrics_plugins.metrics.scene_graph.parser.modifiers import Modifiers
from metrics_plugins.metrics.scene_graph.parser.predicates import Predicates
from metrics_plugins.metrics.scene_graph.parser.repairs import repair
from metrics_plugins.metrics.scene_graph.parser.trees import make_tree


def propose_tuples(
    words: Sequence[str], *, tags: list[str], labels: list[str], heads: list[int], lemmas: Lemmas
) -> Proposals:
    """Return the tuples of a caption: relations and attributes from clauses, then those from noun phrases.

    The lists have one entry per word and are modified.

    Args:
        words: The tokens.
        tags: Penn Treebank tags.
        labels: CLEAR dependency labels.
        heads: The word on which each word depends; a root depends on itself.
        lemmas: Base forms.
    """
    tree = make_tree(words, tags=tags, labels=labels, heads=heads)
    repair(tree, lemmas)
    mentions = Mentions(tree, lemmas)
    relations, attributes = Predicates(mentions).propose()
    return (*relations, *attributes, *Modifiers(mentions).propose())

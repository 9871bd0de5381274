"""Explanations of SPICE scores: the names of matched and unmatched tuples of the scene graphs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metrics_plugins.metrics.scene_graph.graphs.graph import SceneGraph, build_graph
from metrics_plugins.metrics.scene_graph.graphs.matching import match_relations
from metrics_plugins.metrics.scene_graph.graphs.naming import Name, join_words, list_names
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import load_vocabulary
from metrics_plugins.metrics.scene_graph.parsers import CaptionParser, SpacyParser
from metrics_plugins.text.ptb.tokenizer import tokenize_captions

_KINDS: Final = ("object", "attribute", "relation")


@dataclass(frozen=True, slots=True)
class NamedTuple:
    """A tuple: its parts, with the relation in the middle; its kind; and whether the other graph has a similar one."""

    parts: Name
    is_matched: bool

    @property
    def kind(self) -> str:
        return _KINDS[len(self.parts) - 1]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The candidate's tuples, and the references' tuples to which no tuple of the candidate is similar."""

    candidate: tuple[NamedTuple, ...]
    missed: tuple[NamedTuple, ...]


def explain(candidate: str, references: Sequence[str], *, parser: CaptionParser | None = None) -> Explanation:
    """Return the tuples behind a SPICE score.

    Args:
        candidate: A caption.
        references: References of the same image.
        parser: The parser to use, by default the bundled one.

    Raises:
        MissingResource: spaCy, its model or WordNet is not installed.
    """
    parser = parser or SpacyParser.find()
    lines = tokenize_captions([candidate, *references])
    distinct = [line for line in dict.fromkeys(lines) if line]
    proposals = dict(zip(distinct, parser.parse(distinct), strict=True))
    vocabulary = load_vocabulary()
    own = build_graph([proposals.get(lines[0], ())], vocabulary=vocabulary)
    theirs = build_graph([proposals.get(line, ()) for line in lines[1:]], vocabulary=vocabulary)
    missed = tuple(each for each in match_tuples(theirs, own) if not each.is_matched)
    return Explanation(match_tuples(own, theirs), missed)


def match_tuples(graph: SceneGraph, other: SceneGraph) -> tuple[NamedTuple, ...]:
    """Return the tuples of a graph in the order of `list_names`, and whether the other graph has similar ones."""
    similar = [other.find_similar(node.words, node.synsets) for node in graph.nodes]
    found: list[NamedTuple] = []
    for node, nodes in zip(graph.nodes, similar, strict=True):
        name = join_words(node.words)
        found.append(NamedTuple((name,), bool(nodes)))
        theirs = [attribute.marks for number in nodes for attribute in other.nodes[number].attributes]
        found += [
            NamedTuple((name, join_words(each.words)), any(not each.marks.isdisjoint(marks) for marks in theirs))
            for each in node.attributes
        ]
    relations = list_names(graph)[len(found) :]
    matched = match_relations(graph, other, similar)
    return (*found, *(NamedTuple(name, is_matched) for name, is_matched in zip(relations, matched, strict=True)))

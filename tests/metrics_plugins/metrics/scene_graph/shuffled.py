"""Scene graphs in which ties between similar nodes and attributes are broken at random.

The program SPICE 1.0 takes the one that a Java hash map yields first, by identity hash codes: numbers drawn while it
runs. So its choice can be any that some draw of ranks gives.
"""

import random
from dataclasses import dataclass, field

from metrics_plugins.metrics.scene_graph.graphs.graph import Concept, Node, SceneGraph
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import Marks


@dataclass(slots=True, eq=False)
class ShuffledGraph(SceneGraph):
    rng: random.Random = field(default_factory=random.Random)
    ranks: dict[int, float] = field(default_factory=dict)
    is_tied: bool = False

    def _find_most_similar(self, synsets: Marks) -> int | None:
        similarity = {
            number: len(node.synsets & synsets) / len(node.synsets | synsets)
            for number, node in enumerate(self.nodes)
            if node.synsets & synsets
        }
        best = [number for number, value in similarity.items() if value == max(similarity.values())]
        return self._choose(best, [self.nodes[number] for number in best]) if best else None

    def _add_attribute(self, node: Node, word: str) -> None:
        marks = self.vocabulary.mark(word)
        if any(attribute.words == [word] for attribute in node.attributes):
            return
        similar = [attribute for attribute in node.attributes if attribute.marks & marks]
        if similar:
            self._choose(similar, similar).merge(word, marks)
        else:
            node.attributes.append(Concept([word], marks))

    def _choose(self, options: list, objects: list) -> object:
        self.is_tied |= len(options) > 1
        ranks = [self.ranks.setdefault(id(each), self.rng.random()) for each in objects]
        return options[ranks.index(min(ranks))]

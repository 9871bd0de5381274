"""SPICE-U and uniqueness, which measure whether a caption mentions unusual concepts of its image."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.metric import Described
from metrics_plugins.api.parameters import made_parameter, tokenizer_parameter
from metrics_plugins.api.paths import ArchiveMember
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.scene_graph import cards
from metrics_plugins.metrics.scene_graph.comparing import derive_counts, iterate_references, pair_graphs
from metrics_plugins.metrics.scene_graph.concepts import (
    ConceptFile,
    ConceptSource,
    ConceptTable,
    FittedConcepts,
    count_concepts,
)
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind
from metrics_plugins.metrics.scene_graph.graphs.naming import Name
from metrics_plugins.metrics.scene_graph.parsers import CaptionParser, tuples_parameter
from metrics_plugins.metrics.scene_graph.spice import RESOURCES, measure_agreement
from metrics_plugins.text.tokens import name_tokenizer

_CITATION: Final = "Wang, Feng, Narasimhan and Russakovsky (2020), Towards unique and informative captioning of images"


UNIQUENESS: Final = MetricInfo(
    id="uniqueness",
    title="Uniqueness",
    level=Level.SEGMENT,
    inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
    higher_is_better=True,
    bounds=(0.0, 1.0),
    version="1",
    citation=_CITATION,
    fits_on=FitsOn.REFERENCES,
    resources=RESOURCES,
    card=cards.UNIQUENESS,
)
# SPICE's F is below 2 and uniqueness at most 1, so their harmonic mean is below 4/3.
SPICE_U: Final = replace(UNIQUENESS, id="spice-u", title="SPICE-U", bounds=(0.0, 4 / 3), card=cards.SPICE_U)


@dataclass(frozen=True, kw_only=True)
class _Choices(Described):
    """The parameters of both metrics.

    Attributes:
        tokenizer: Splits captions into the tokens that are parsed, or looked up in the file of tuples.
        tuples: The source of the tuples, by default the bundled parser.
        concepts: The number of images with each concept, counted when fitted or read from a file
            (`concepts.ConceptTable.write`); None before it is counted.
    """

    tokenizer: Tokenizer = tokenizer_parameter()
    tuples: CaptionParser = tuples_parameter()
    concepts: ConceptSource | None = made_parameter(
        None,
        hint=ArchiveMember | None,
        make=lambda _, path: ConceptFile.open(path) if path else None,
        show=lambda source: source.digest if isinstance(source, ConceptFile) else str(FitsOn.REFERENCES),
    )


@dataclass(frozen=True, kw_only=True)
class FittedUniqueness(_Choices, Metric):
    """How unusual the concepts of a caption are, relative to the concepts it could have mentioned, within [0, 1].

    Wang et al., equations 3 to 6: the concepts of candidate and references are pooled. The sum over the candidate's
    concepts of Un, the share of images without the concept, is scaled so that 0 is the smallest and 1 the largest sum
    for the same number of concepts of the pool. If the two sums are equal, as for a candidate without concepts, the
    score is 1. Concepts are compared by name: a concept merged from several words differs from a concept with one of
    these words. A row without references has no score (NaN).
    """

    info = UNIQUENESS

    concepts: ConceptSource = field(repr=False)

    def score(self, batch: Batch) -> Scores:
        return Scores(keys=batch.keys, values=self._measure_uniqueness(batch))

    def _measure_uniqueness(self, batch: Batch) -> Values:
        def measure(view: Batch) -> Values:
            table = self.concepts.load()
            values = np.full(len(view), np.nan)
            for row, candidate, reference in pair_graphs(view, tokenizer=self.tokenizer, parser=self.tuples):
                values[row] = place_candidate(candidate.names, reference.names, table=table)
            return values

        name = ("uniqueness", name_tokenizer(self.tokenizer), self.tuples, self.concepts)
        values = batch.derive(name, measure)
        return values.copy()


@dataclass(frozen=True, kw_only=True)
class FittedSpiceU(FittedUniqueness):
    """The harmonic mean of SPICE and uniqueness (Wang et al., equation 7), below 4/3.

    The score is 0 if SPICE or uniqueness is 0. A row without references has no score (NaN).
    """

    info = SPICE_U

    def score(self, batch: Batch) -> Scores:
        counts = derive_counts(batch, tokenizer=self.tokenizer, parser=self.tuples)[:, :, TupleKind.ALL]
        return Scores(keys=batch.keys, values=combine(measure_agreement(counts), self._measure_uniqueness(batch)))


@dataclass(frozen=True, kw_only=True)
class Uniqueness(_Choices, Fittable):
    """Uniqueness with Un counted in the references of the rows it is fitted on, or read from a file.

    Each row counts as one image, and its references are merged into one graph. The paper counts in the training
    captions of COCO: create that table once with `python -m metrics_plugins.cli.concepts` and give it as `concepts`.
    """

    info = UNIQUENESS

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedUniqueness:
        return FittedUniqueness(tokenizer=self.tokenizer, tuples=self.tuples, concepts=self._find_concepts(batch))

    def _find_concepts(self, batch: Batch) -> ConceptSource:
        def count(view: Batch) -> FittedConcepts:
            graphs = iterate_references(view, tokenizer=self.tokenizer, parser=self.tuples)
            table = count_concepts((n_rows, graph.names) for n_rows, graph in graphs)
            return FittedConcepts(table)

        name = ("concepts", name_tokenizer(self.tokenizer), self.tuples)
        return self.concepts or batch.derive(name, count)


class SpiceU(Uniqueness):
    """SPICE-U with Un counted in the references of the rows it is fitted on, or read from a file."""

    info = SPICE_U

    def fit(self, batch: Batch, targets: Values | None, rng: np.random.Generator) -> FittedSpiceU:
        return FittedSpiceU(tokenizer=self.tokenizer, tuples=self.tuples, concepts=self._find_concepts(batch))


def place_candidate(candidate: Sequence[Name], references: Sequence[Name], *, table: ConceptTable) -> float:
    """Return the uniqueness of a candidate, given the names of its concepts and of those of its references."""
    unusual = {name: table.measure_uniqueness(name) for name in (*candidate, *references)}
    pool = sorted(unusual.values())
    n_concepts = len(candidate)
    # Exactly rounded sums do not depend on the order of concepts.
    lowest, highest = math.fsum(pool[:n_concepts]), math.fsum(pool[len(pool) - n_concepts :])
    if lowest == highest:
        return 1.0
    return (math.fsum(unusual[name] for name in candidate) - lowest) / (highest - lowest)


def combine(agreement: Values, uniqueness: Values) -> Values:
    """Return the harmonic mean; 0 if one of the two is 0, NaN if uniqueness is NaN."""
    totals = agreement + uniqueness
    values = np.where(np.isnan(uniqueness), np.nan, 0.0)
    return np.divide(2.0 * agreement * uniqueness, totals, out=values, where=agreement * uniqueness > 0)

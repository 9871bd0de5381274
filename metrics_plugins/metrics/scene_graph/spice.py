"""SPICE, the agreement of the scene graphs of candidate and references, overall and by kind of tuple."""

from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.meteor.sources import METEOR_DATA
from metrics_plugins.metrics.scene_graph.cards import SPICE, describe_part
from metrics_plugins.metrics.scene_graph.comparing import Counts, derive_counts
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind
from metrics_plugins.metrics.scene_graph.parsers import PARSER, CaptionParser, tuples_parameter

CITATION: Final = "Anderson et al. (2016), SPICE: semantic propositional image caption evaluation"
RESOURCES: Final = (METEOR_DATA, PARSER)


@dataclass(frozen=True, kw_only=True)
class Spice(Metric):
    """F-measure of the tuples of scene graphs: objects, attributes, relations (Anderson et al., equations 4 to 6).

    Given the same tuples, the graphs, matches and scores are those of the program SPICE 1.0, including its quirks:
    matching is not one to one, so F may exceed 1 but is below 2. The tuples are proposed by the bundled parser, which
    is named in the signature, unless a file of tuples is given.

    A row scores 0 if its candidate or its references have no tuples. A row without references has no score (NaN).

    Attributes:
        tokenizer: Splits captions into the tokens that are parsed, or looked up in the file.
        tuples: The source of the tuples, by default the bundled parser.

    Raises:
        MissingResource: While building, if spaCy or its model is not installed and no file of tuples is given; while
            scoring, if pycocoevalcap is not installed.
    """

    info = MetricInfo(
        id="spice",
        title="SPICE",
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        # Several tuples of a candidate may match one of the references: recall is unbounded, and F may exceed 1.
        bounds=(0.0, 2.0),
        version="1",
        citation=CITATION,
        resources=RESOURCES,
        card=SPICE,
    )
    kind: ClassVar[TupleKind] = TupleKind.ALL

    tokenizer: Tokenizer = tokenizer_parameter()
    tuples: CaptionParser = tuples_parameter()

    def score(self, batch: Batch) -> Scores:
        counts = derive_counts(batch, tokenizer=self.tokenizer, parser=self.tuples)
        values = measure_agreement(counts[:, :, self.kind])
        n_references = counts[:, 2, self.kind]
        is_undefined = batch.reference_rows.lengths == 0
        if self.kind is not TupleKind.ALL:
            is_undefined |= n_references == 0
        values[is_undefined] = np.nan
        return Scores(keys=batch.keys, values=values)


class SpiceObject(Spice):
    """SPICE for objects only; NaN if the references have none."""

    info = replace(Spice.info, id="spice-object", title="SPICE, objects", card=describe_part("objects"))
    kind = TupleKind.OBJECT


class SpiceAttribute(Spice):
    """SPICE for attributes only; NaN if the references have none."""

    info = replace(Spice.info, id="spice-attribute", title="SPICE, attributes", card=describe_part("attributes"))
    kind = TupleKind.ATTRIBUTE


class SpiceRelation(Spice):
    """SPICE for relations only; NaN if the references have none."""

    info = replace(Spice.info, id="spice-relation", title="SPICE, relations", card=describe_part("relations"))
    kind = TupleKind.RELATION


class SpiceColor(Spice):
    """SPICE for colours only; NaN if the references have none."""

    info = replace(Spice.info, id="spice-color", title="SPICE, colours", card=describe_part("colors"))
    kind = TupleKind.COLOR


class SpiceCardinality(Spice):
    """SPICE for the attributes "one" to "ten" only; NaN if the references have none."""

    info = replace(Spice.info, id="spice-cardinality", title="SPICE, numbers", card=describe_part("numbers"))
    kind = TupleKind.CARDINALITY


class SpiceSize(Spice):
    """SPICE for sizes only; NaN if the references have none."""

    info = replace(Spice.info, id="spice-size", title="SPICE, sizes", card=describe_part("sizes"))
    kind = TupleKind.SIZE


def measure_agreement(counts: Counts) -> Values:
    """Return `(n_rows,)`: F for `(n_rows, 3)` counts of matched, candidate and reference tuples; 0 without matches."""
    matched, n_candidate, n_reference = counts.T
    has_match = matched > 0
    precision, recall = (
        np.divide(matched, number, out=np.zeros(len(counts)), where=has_match) for number in (n_candidate, n_reference)
    )
    values: Values = np.divide(
        2.0 * (precision * recall), precision + recall, out=np.zeros(len(counts)), where=has_match
    )
    return values

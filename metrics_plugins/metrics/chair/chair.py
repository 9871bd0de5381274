"""CHAIRi and CHAIRs: the share of mentioned objects, and of captions, with objects that are not in the image."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, DecomposableMetric, Input, Level, MetricCard, MetricInfo, parameter
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.parameters import made_parameter, tokenizer_parameter
from metrics_plugins.api.paths import ArchiveMember
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.chair.cards import CHAIR_I, CHAIR_S
from metrics_plugins.metrics.chair.categories import CATEGORIES
from metrics_plugins.metrics.chair.mentions import derive_mentions
from metrics_plugins.metrics.chair.nltk_words import NLTK
from metrics_plugins.metrics.chair.objects import GivenObjects, read_objects
from metrics_plugins.metrics.chair.singular import Rules
from metrics_plugins.text.tokens import name_tokenizer

_CITATION: Final = "Rohrbach et al. (2018), Object hallucination in image captioning"


def _declare(metric_id: str, title: str, *, card: MetricCard) -> MetricInfo:
    return MetricInfo(
        id=metric_id,
        title=title,
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE, Input.REFERENCES, Input.IMAGE_KEY}),
        higher_is_better=False,
        bounds=(0.0, 1.0),
        version="1",
        citation=_CITATION,
        resources=(NLTK,),
        card=card,
    )


@dataclass(frozen=True, kw_only=True)
class _Chair(DecomposableMetric):
    """The common base: objects mentioned in captions, and objects known to be in the image.

    An object is in the image if a reference mentions it, or if it was given for the image. A row without references
    in a run without given objects has no score (NaN) and does not count for its system.

    Attributes:
        objects: A JSON file of the objects in each image, as lists by image or as COCO instances.
        rules: `published` finds objects as the authors' program does, including its errors (no "bus", "ties" or
            "cheesecake"), and so reproduces published tables; `corrected` corrects these errors.
        tokenizer: Must return lower-case words.
    """

    n_statistics = 2

    objects: GivenObjects = made_parameter(
        "", hint=ArchiveMember, make=lambda _, path: read_objects(path), show=lambda objects: objects.name
    )
    rules: Rules = parameter("published")
    tokenizer: Tokenizer = tokenizer_parameter("nltk-words")

    def reduce(self, totals: Values) -> Values:
        """Return the share for each set of totals, within [0, 1]; 0 if there is nothing to count."""
        part, whole = totals[..., 0], totals[..., 1]
        shares = np.zeros(whole.shape)
        np.divide(part, whole, out=shares, where=whole != 0)
        return shares

    def keep_counted(self, statistics: Values) -> Values:
        """Return the statistics of the rows that have a score."""
        return statistics[~np.isnan(statistics[:, -1])]

    def _count_mentions(self, batch: Batch) -> Values:
        """Return `(n_rows, 2)`: number of mentioned objects that are not in the image, and of all mentioned objects."""
        name = ("hallucinated mentions", name_tokenizer(self.tokenizer), self.rules, self.objects.digest)
        return batch.derive(name, self._compare_mentions)

    def _compare_mentions(self, batch: Batch) -> Values:
        mentions = derive_mentions(batch, self.tokenizer, rules=self.rules)
        known = self._find_known(batch, mentions)
        spoken = mentions.take(batch.candidate_rows)
        rows = spoken.row_of_value
        hallucinated = np.bincount(rows, weights=~known[rows, spoken.values], minlength=len(batch))
        counts = np.column_stack([hallucinated, spoken.lengths]).astype(np.float64)
        if self.objects.categories is None:
            counts[batch.reference_rows.lengths == 0] = np.nan
        return counts

    def _find_known(self, batch: Batch, mentions: Ragged) -> npt.NDArray[np.bool_]:
        """Return `(n_rows, 80)`: whether an object of the category is in the image."""
        known = np.zeros((len(batch), len(CATEGORIES)), dtype=np.bool_)
        references = batch.reference_rows
        said = mentions.take(references.values)
        known[references.row_of_value[said.row_of_value], said.values] = True
        for row, image_key in enumerate(batch.image_keys):
            known[row, list(self.objects.find(image_key) or ())] = True
        return known


class ChairI(_Chair):
    """The share of object mentions that are hallucinated, 0 for a caption that mentions none (equation 1).

    Of a system it is the share over the mentions of all captions, where a repeated one counts again.
    """

    info = _declare("chair-i", "CHAIRi", card=CHAIR_I)

    def statistics(self, batch: Batch) -> Values:
        """Return `(n_rows, 2)`: hallucinated mentions, mentions."""
        return self._count_mentions(batch)


class ChairS(_Chair):
    """1 for a caption that mentions an object which is not in the image, else 0; of a system the share of such captions
    (equation 2).
    """

    info = _declare("chair-s", "CHAIRs", card=CHAIR_S)

    def statistics(self, batch: Batch) -> Values:
        """Return `(n_rows, 2)`: 1 for a caption with a hallucinated mention, 1 for a caption."""
        hallucinated = self._count_mentions(batch)[:, 0]
        is_wrong = np.where(np.isnan(hallucinated), np.nan, hallucinated > 0)
        return np.column_stack([is_wrong, np.where(np.isnan(hallucinated), np.nan, 1.0)])

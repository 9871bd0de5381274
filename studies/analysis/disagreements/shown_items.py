"""The content of ranked items for pages: pictures, captions, references, votes, scores and explanations."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from django.core.cache import cache

from correlation.csv_lines import write_csv
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.metrics.scene_graph.explaining import Explanation, explain
from metrics_plugins.text.common_ngrams import MarkedWord, mark_common
from metrics_plugins.text.ptb.tokenizer import tokenize_captions
from studies.analysis.disagreements.ranking import Ranking
from studies.analysis.fingerprint import hash_facts
from studies.models import Candidate, Item, Reference, Study
from studies.shared.errors import Refusal

CSV_HEAD: Final = (
    "rank",
    "item",
    "image",
    "system",
    "category",
    "apart",
    "judgments",
    "mean_judgment",
    "percentile_of_people",
)


@dataclass(frozen=True, slots=True)
class Votes:
    """The number of raters who gave one value; `share` is in percent of all raters of the item."""

    value: float
    n: int
    share: int


@dataclass(frozen=True, slots=True)
class SideScore:
    """The score of an item by one metric; None if missing. `percentile` as in `Column`, in percent."""

    metric: str
    value: float | None
    percentile: float | None
    is_compared: bool


@dataclass(frozen=True, slots=True)
class ShownCaption:
    """A caption with marks on the words that occur in its references, and its tuples if requested."""

    system: str
    text: str
    words: tuple[MarkedWord, ...]
    tuples: Explanation | None = None


@dataclass(frozen=True, slots=True)
class DisagreementItem:
    """One item with everything that explains the difference of the sides.

    Attributes:
        rank: From 1.
        item: The item, with its image.
        size: The difference of the sides.
        captions: Both of a pair, all of a set.
        references: The references, with marks on words that occur in a caption of the item.
        votes: By value, ascending.
        mean, percentile: The mean judgment and its percentile among all items; for pairs the percentile is None.
        scores: The scores by metric, those compared first.
    """

    rank: int
    item: Item
    size: float
    captions: tuple[ShownCaption, ...]
    references: tuple[tuple[MarkedWord, ...], ...]
    votes: tuple[Votes, ...]
    mean: float
    percentile: float | None
    scores: tuple[SideScore, ...]

    @property
    def n_votes(self) -> int:
        return sum(each.n for each in self.votes)


class NoTuples(Refusal):
    """Scene graphs cannot be computed in this installation; the message says what is missing."""


def show_items(ranking: Ranking, *, start: int, stop: int, with_tuples: bool = False) -> tuple[DisagreementItem, ...]:
    """Return a page of the ranking, in three queries, one more for caption sets.

    Raises:
        NoTuples: Tuples were requested, but the packages for SPICE are not installed.
    """
    rows = ranking.rows[start:stop]
    keys = [int(ranking.items[row]) for row in rows]
    items = {
        item.pk: item
        for item in Item.objects.filter(pk__in=keys)
        .select_related("image", "anchor", "candidate__system", "other_candidate__system", "caption_set__system")
        .prefetch_related("caption_set__candidates__system")
    }
    references: dict[int, list[str]] = {}
    of_images = Reference.objects.filter(image__in={item.image_id for item in items.values()})
    for image, text in of_images.order_by("image", "position").values_list("image_id", "text"):
        references.setdefault(image, []).append(text)
    return tuple(
        _show(ranking, int(row), rank, items[key], references.get(items[key].image_id, []), with_tuples)
        for rank, (row, key) in enumerate(zip(rows, keys, strict=True), start=start + 1)
    )


def write_ranking(ranking: Ranking, *, study: Study) -> Iterator[str]:
    """Yield the lines of a CSV file of the ranked items, in order; percentiles are fractions, signed for pairs."""
    known = {
        pk: row
        for pk, *row in Item.objects.filter(task__study=study).values_list(
            "pk", "key", "image__key", "candidate__system__name", "caption_set__system__name", "category"
        )
    }
    counts = ranking.count_judgments()
    metrics = [(name, column) for name, column in ranking.metrics.items()]
    head = [*CSV_HEAD, *(part for name, _ in metrics for part in (name, f"percentile_of_{name}"))]

    def write_rows() -> Iterator[Sequence[object]]:
        for rank, row in enumerate(ranking.rows.tolist(), start=1):
            key, image, system, of_set, category = known[int(ranking.items[row])]
            sides = [ranking.people, *(column for _, column in metrics)]
            numbers = [_write(number[row]) for column in sides for number in (column.values, column.percentiles)]
            yield [rank, key, image, system or of_set, category, _write(ranking.sizes[row]), int(counts[row]), *numbers]

    return write_csv(head, write_rows())


def _show(
    ranking: Ranking, row: int, rank: int, item: Item, references: Sequence[str], with_tuples: bool
) -> DisagreementItem:
    captions = _list_captions(item)
    lines = [line.split() for line in tokenize_captions([*(each.text for each in captions), *references])]
    own, theirs = lines[: len(captions)], lines[len(captions) :]
    percentile = None if ranking.is_pairwise else 100 * float(ranking.people.percentiles[row])
    return DisagreementItem(
        rank=rank,
        item=item,
        size=float(ranking.sizes[row]),
        captions=tuple(
            ShownCaption(
                system=caption.system.name,
                text=caption.text,
                words=mark_common(words, theirs),
                tuples=_explain(caption.text, references) if with_tuples else None,
            )
            for caption, words in zip(captions, own, strict=True)
        ),
        references=tuple(mark_common(words, own) for words in theirs),
        votes=_count_votes(ranking.votes.get(row)),
        mean=float(ranking.people.values[row]),
        percentile=percentile,
        scores=_list_scores(ranking, row),
    )


def _list_captions(item: Item) -> list[Candidate]:
    if item.caption_set:
        return list(item.caption_set.candidates.all())
    return [caption for caption in (item.candidate, item.other_candidate) if caption]


def _count_votes(votes: Sequence[tuple[float, int]]) -> tuple[Votes, ...]:
    total = sum(n for _, n in votes)
    return tuple(Votes(value, n, round(100 * n / total)) for value, n in votes)


def _list_scores(ranking: Ranking, row: int) -> tuple[SideScore, ...]:
    compared = (ranking.comparison.metric, ranking.comparison.other)
    scores = (
        SideScore(name, _know(column.values[row]), _know(100 * column.percentiles[row]), name in compared)
        for name, column in ranking.metrics.items()
    )
    return tuple(sorted(scores, key=lambda score: not score.is_compared))


def _explain(candidate: str, references: Sequence[str]) -> Explanation:
    key = f"tuples:{hash_facts(candidate, tuple(references))}"
    kept: Explanation | None = cache.get(key)
    if kept is None:
        try:
            kept = explain(candidate, references)
        except MissingResource as error:
            raise NoTuples(str(error)) from error
        cache.set(key, kept)
    return kept


def _know(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _write(value: float) -> object:
    return "" if np.isnan(value) else float(value)

"""Judged captions for comparisons of metrics, as rows to score and as input of protocols."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt

from benchmarks.critics.data import DATA
from correlation.coefficients.accuracy import credit_pairs
from correlation.comparison.accuracy import compare_accuracies
from correlation.comparison.compare import compare_metrics
from correlation.comparison.methods import ComparisonRequest
from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import get_protocol
from correlation.protocols.rated_items import pool_ratings, select_judgments
from correlation.protocols.recipe import Protocol
from correlation.resampling.intervals import IntervalRequest
from correlation.tables import JudgmentTable
from metrics_plugins.api import Batch
from studies.shared.text import normalize_caption

Values = npt.NDArray[np.float64]
PARTS = ("development", "held back", "all")


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A data set.

    Attributes:
        protocol: The protocol of the data set.
        batch: The rows to score in the order of the items; the two captions of a pair are consecutive.
        data: The judgments, with meaningless scores.
    """

    protocol: Protocol
    batch: Batch
    data: RatedItems | JudgedPairs

    def take(self, part: str, scores: Values) -> RatedItems | JudgedPairs:
        """Return the judgments for a part of the images, given the scores of all rows."""
        if isinstance(self.data, JudgedPairs):
            kept = choose_images(self.data.votes.image, part)
            return JudgedPairs.build(self.data.votes.keep_items(kept), scores=scores.reshape(-1, 2)[kept])
        kept = choose_images(self.data.judgments.image, part)
        own = self.data.in_references
        return RatedItems.build(
            self.data.judgments.keep_items(kept),
            scores=scores[kept],
            in_references=None if own is None else own[kept],
        )

    def correlate(self, scores: Values, *, part: str = "all", with_interval: bool = False) -> list[float]:
        """Return the coefficient times 100, optionally with its interval (95 %, 1,000 resamples of images)."""
        interval = IntervalRequest("percentile", ("images",)) if with_interval else None
        rng = np.random.default_rng(0)
        row = evaluate_protocol(self.protocol, self.take(part, scores), interval=interval, rng=rng)[-1]
        value = nan if row.value is None else row.value
        return [100 * value, *(100 * bound for bound in (row.low, row.high) if bound is not None)]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that differ; of Composite only the development half is there."""
        table = self.data.votes if isinstance(self.data, JudgedPairs) else self.data.judgments
        return PARTS if choose_images(table.image, "held back").any() else ("all",)

    def compare(self, first: Values, second: Values, *, part: str = "all") -> list[float]:
        """Return the first coefficient less the second, times 100, with its interval (95 %, 1,000 resamples of images).

        Both are resampled together.
        """
        request = ComparisonRequest(test="bootstrap", resampled=("images",))
        rng = np.random.default_rng(0)
        both = {"first": self.take(part, first), "second": self.take(part, second)}
        data = both["first"]
        if isinstance(data, JudgedPairs):
            votes = data.votes
            worth = {
                name: credit_pairs(*each.scores[0][votes.item].T, votes.value, ties=self.protocol.ties or "wrong")
                for name, each in both.items()
                if isinstance(each, JudgedPairs)
            }
            images = np.asarray(votes.image)[votes.item]
            categories = None if votes.category is None else votes.category[votes.item]
            found = compare_accuracies(worth, request=request, images=images, categories=categories, rng=rng)
        else:
            used = select_judgments(self.protocol, data)
            item, target = pool_ratings(self.protocol.ratings, data.judgments, used)
            scores = {name: each.scores[0][item] for name, each in both.items() if isinstance(each, RatedItems)}
            images = np.asarray(data.judgments.image)[item]
            coefficient = self.protocol.measures[0].coefficient
            found = compare_metrics(
                scores, target, level="item", coefficient=coefficient, groups=images, request=request, rng=rng
            )
        gain = found.find("first", "second")
        low, high = (nan if bound is None else 100 * bound for bound in (gain.low, gain.high))
        difference = 100 * gain.difference
        return [difference, low, high] if gain.first == "first" else [-difference, -high, -low]

    def test(self, first: Values, second: Values) -> float:
        """Return the p-value of PERM-BOTH (1,000 permutations) for equal agreement of both metrics with people."""
        rng = np.random.default_rng(0)
        if isinstance(self.data, JudgedPairs):
            votes = self.data.votes
            both = {"first": first.reshape(-1, 2)[votes.item], "second": second.reshape(-1, 2)[votes.item]}
            worth = {
                name: credit_pairs(scores[:, 0], scores[:, 1], votes.value, ties=self.protocol.ties or "wrong")
                for name, scores in both.items()
            }
            categories = None if votes.category is None else votes.category[votes.item]
            return compare_accuracies(worth, categories=categories, rng=rng).differences[0].p_value
        table = self.data.judgments
        used = select_judgments(self.protocol, self.data)
        item, target = pool_ratings(self.protocol.ratings, table, used)
        scores = {"first": first[item], "second": second[item]}
        coefficient = self.protocol.measures[0].coefficient
        found = compare_metrics(scores, target, level="item", coefficient=coefficient, items=item, rng=rng)
        return found.differences[0].p_value


def choose_images(images: npt.ArrayLike, part: str) -> npt.NDArray[np.bool_]:
    """Return which images belong to a part; `development` has those with an even SHA-256 of the name."""
    names = [str(name) for name in np.asarray(images)]
    if part == "all":
        return np.ones(len(names), dtype=np.bool_)
    is_even = np.array([int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0 for name in names])
    return is_even if part == "development" else ~is_even


def read_judged() -> Iterator[tuple[str, Judged]]:
    """Yield the data sets by name: Flickr8k-Expert, Flickr8k-CF, PASCAL-50S, Composite, Nebula."""
    captions = _read_captions()
    yield "Flickr8k-Expert", _read_expert(captions)
    yield "Flickr8k-CF", _read_cf(captions)
    yield "PASCAL-50S", _read_pascal()
    yield "Composite", _read_composite(captions)
    yield "Nebula", _read_nebula()


def _read_captions() -> dict[str, str]:
    with gzip.open(DATA / "flickr8k" / "Flickr8k.token.txt.gz", "rt", encoding="utf-8") as file:
        return {key: " ".join(text.split()) for key, text in (line.rstrip("\n").split("\t") for line in file)}


def _read_expert(captions: Mapping[str, str]) -> Judged:
    with (DATA / "flickr8k" / "ExpertAnnotations.txt").open(encoding="utf-8", newline="") as file:
        rows = [(line[0], line[1], line[2:5]) for line in csv.reader(file, delimiter="\t")]
    own = {image: [captions[f"{image}#{number}"] for number in range(5)] for image, _, _ in rows}
    batch = _make_batch([row[:2] for row in rows], captions, own)
    table = JudgmentTable.build(
        items=batch.keys,
        image=[image for image, _, _ in rows],
        item=np.repeat(batch.keys, 3),
        rater=["expert-1", "expert-2", "expert-3"] * len(rows),
        value=[float(rating) for _, _, ratings in rows for rating in ratings],
    )
    is_own = [captions[key] in own[image] for image, key, _ in rows]
    data = RatedItems.build(table, scores=np.zeros(len(rows)), in_references=is_own)
    return Judged(get_protocol("flickr8k-expert@1"), batch, data)


def _read_cf(captions: Mapping[str, str]) -> Judged:
    with gzip.open(DATA / "flickr8k" / "CrowdFlowerAnnotations.txt.gz", "rt", encoding="utf-8", newline="") as file:
        rows = [(line[0], line[1], int(line[3]), int(line[4])) for line in csv.reader(file, delimiter="\t")]
    judged = {row[:2] for row in rows}
    beside = {
        image: [captions[key] for number in range(5) if (image, key := f"{image}#{number}") not in judged]
        for image in dict.fromkeys(row[0] for row in rows)
    }
    batch = _make_batch([row[:2] for row in rows], captions, beside)
    table = JudgmentTable.build(
        items=batch.keys,
        image=[row[0] for row in rows],
        item=np.repeat(batch.keys, [yes + no for _, _, yes, no in rows]),
        rater=[f"vote-{number}" for _, _, yes, no in rows for number in range(yes + no)],
        value=[vote for _, _, yes, no in rows for vote in [1.0] * yes + [0.0] * no],
    )
    return Judged(get_protocol("flickr8k-cf@1"), batch, RatedItems.build(table, scores=np.zeros(len(rows))))


def _read_pascal() -> Judged:
    with gzip.open(DATA / "pascal50s" / "pascal_50s.json.gz", "rt", encoding="utf-8") as file:
        pairs = [(name, number, pair) for name, group in json.load(file).items() for number, pair in enumerate(group)]
    keys = [f"{name}-{number}" for name, number, _ in pairs]
    votes = JudgmentTable.build(
        items=keys,
        image=[pair["image"] for _, _, pair in pairs],
        category=[name for name, _, _ in pairs],
        item=keys,
        rater=["consensus"] * len(keys),
        value=[1 - 2 * pair["label"] for _, _, pair in pairs],
    )
    batch = Batch.make(
        [f"{key}|{which}" for key in keys for which in (0, 1)],
        candidates=[pair["captions"][which] for _, _, pair in pairs for which in (0, 1)],
        references=[pair["references"] for _, _, pair in pairs for _ in (0, 1)],
    )
    return Judged(get_protocol("pascal-50s@1"), batch, JudgedPairs.build(votes, scores=np.zeros((len(keys), 2))))


def _read_composite(captions: Mapping[str, str]) -> Judged:
    with (DATA / "composite" / "composite_8k_half.csv").open(encoding="utf-8", newline="") as file:
        rows = [(line["image"], line["caption"], float(line["correctness"])) for line in csv.DictReader(file)]
    references = [[captions[f"{image}#{number}"] for number in range(5)] for image, _, _ in rows]
    return _rate_rows(rows, references)


def _read_nebula() -> Judged:
    with (DATA / "nebula" / "nebula_test.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    # Means of the same ratings may differ in their last digit.
    judged = [(row["image"], row["candidate"], round(float(row["score"]), 9)) for row in rows]
    return _rate_rows(judged, [row["references"] for row in rows], without_own=False)


def _rate_rows(
    rows: Sequence[tuple[str, str, float]], references: Sequence[Sequence[str]], *, without_own: bool = True
) -> Judged:
    """Return rated captions with references of their own, from which a row's caption is left out by default."""
    kept = [
        [text for text in own if not without_own or normalize_caption(text) != normalize_caption(caption)]
        for (_, caption, _), own in zip(rows, references, strict=True)
    ]
    batch = Batch.make(
        [str(number) for number in range(len(rows))], candidates=[caption for _, caption, _ in rows], references=kept
    )
    table = JudgmentTable.build(
        items=batch.keys,
        image=[image for image, _, _ in rows],
        item=batch.keys,
        rater=["rater"] * len(rows),
        value=[value for _, _, value in rows],
    )
    return Judged(get_protocol("composite@1"), batch, RatedItems.build(table, scores=np.zeros(len(rows))))


def _make_batch(
    rows: Sequence[tuple[str, str]], captions: Mapping[str, str], references: Mapping[str, Sequence[str]]
) -> Batch:
    return Batch.make(
        [f"{image}|{key}" for image, key in rows],
        candidates=[captions[key] for _, key in rows],
        references=[references[image] for image, _ in rows],
    )

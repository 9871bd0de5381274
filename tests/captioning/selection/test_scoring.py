"""Tests of the scores of several captions of each image against running the metrics on each system alone."""

from collections.abc import Sequence

import numpy as np
import pytest

from captioning.selection.best_of import measure_diversity, measure_people, tabulate_best
from captioning.selection.dpp import count_references
from captioning.selection.scoring import CandidateScores, score_candidates
from metrics_plugins.api import Batch, Fittable, Metric
from metrics_plugins.runtime import MetricRun, load_registry, run_metric

REFERENCES = (
    ("a dog runs on the grass", "a brown dog runs in a field", "the dog is on green grass"),
    ("a man rides a wave", "a man on a surfboard in the water", "a surfer rides the wave"),
    ("a red bus on the street", "a bus drives down a city street", "the red bus is on a road"),
)
CAPTIONS = (
    ("a dog runs on the street", "a dog runs on the grass", "a dog runs on the street"),
    ("a man on a surfboard in the wave", "a cat", "a man rides a wave"),
    ("a dog", "the red bus is on the street", ""),
)
IDS = ("bleu-4", "cider-d", "chair-s", "rouge-l")


def _build(ids: Sequence[str] = IDS) -> list[Metric | Fittable]:
    registry = load_registry()
    return [registry.build(name) for name in ids]


def _run_alone(metric: Metric | Fittable, captions: Sequence[str]) -> MetricRun:
    batch = Batch.make(map(str, range(len(captions))), candidates=captions, references=REFERENCES)
    return run_metric(metric, batch, rng=np.random.default_rng(0))


def _score(ids: Sequence[str] = IDS) -> tuple[CandidateScores, ...]:
    return score_candidates(_build(ids), CAPTIONS, REFERENCES, rng=np.random.default_rng(0))


def test_systems_of_chosen_captions_have_the_scores_of_the_metrics_themselves() -> None:
    chosen = np.array([0, 2, 1])
    texts = [row[place] for row, place in zip(CAPTIONS, chosen, strict=True)]

    for metric, scores in zip(_build(), _score(), strict=True):
        run = _run_alone(metric, texts)
        assert scores.metric.info.id == metric.info.id
        np.testing.assert_array_equal(scores.values[np.arange(3), chosen], run.scores.values)
        assert scores.summarize(chosen) == pytest.approx(run.corpus, abs=1e-12)


def test_a_repeated_caption_is_scored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []

    def count(metric: Metric, batch: Batch, *, rng: np.random.Generator) -> MetricRun:
        rows.append(len(batch))
        return run_metric(metric, batch, rng=rng)

    monkeypatch.setattr("captioning.selection.scoring.run_metric", count)

    scores = _score(["rouge-l"])[0]

    assert rows == [8]
    assert scores.values[0, 0] == scores.values[0, 2]


def test_the_best_caption_depends_on_the_direction_of_the_metric() -> None:
    by_id = {each.metric.info.id: each for each in _score()}

    assert by_id["cider-d"].find_best().tolist() == [1, 2, 1]
    # The dog is no object of the third image, "street" is no category, and the first of equal ones is taken.
    assert by_id["chair-s"].find_best().tolist() == [0, 0, 1]


def test_an_undefined_score_is_never_the_best() -> None:
    metric = _build(["rouge-l"])[0]
    assert isinstance(metric, Metric)
    scores = CandidateScores(metric, np.array([[np.nan, -1.0], [np.nan, np.nan]]))

    assert scores.find_best().tolist() == [1, 0]
    assert scores.summarize(np.array([1, 0])) == -1.0
    assert np.isnan(scores.summarize(np.array([0, 0])))


@pytest.mark.parametrize(
    ("captions", "message"),
    [
        ([("a", "b"), ("a",), ("c", "d")], r"the same number of captions, at least 1, got \[1, 2\]"),
        ([(), (), ()], r"at least 1, got \[0\]"),
        ([("a",)], "1 images have captions, but 3 have references"),
    ],
)
def test_images_must_have_equally_many_captions(captions: list[tuple[str, ...]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score_candidates(_build(["rouge-l"]), captions, REFERENCES, rng=np.random.default_rng(0))


def test_metrics_of_sets_are_refused() -> None:
    with pytest.raises(ValueError, match="'self-cider' gives one score for each set"):
        _score(["self-cider"])


def test_best_and_average_of_k() -> None:
    scores = _score(["cider-d", "bleu-4"])

    table = {(row.metric, row.k): row for row in tabulate_best(scores, ks=[1, 2, 3])}

    cider, bleu = scores
    assert table["cider-d", 3].best == pytest.approx(cider.values.max(axis=1).mean())
    assert table["cider-d", 3].average == pytest.approx(cider.values.mean())
    assert table["cider-d", 2].best == pytest.approx(cider.values[:, :2].max(axis=1).mean())
    assert table["bleu-4", 2].best == bleu.summarize(bleu.values[:, :2].argmax(axis=1))
    for row in (table["cider-d", 1], table["bleu-4", 1]):
        assert (
            row.best
            == row.average
            == pytest.approx(_run_alone(_build([row.metric])[0], [c[0] for c in CAPTIONS]).corpus)
        )
    with pytest.raises(ValueError, match="from 1 to the number of captions, 3, got 4"):
        tabulate_best(scores, ks=[4])


def test_diversity_is_that_of_the_set_metrics() -> None:
    batch = Batch.make(map(str, range(3)), caption_sets=CAPTIONS, references=REFERENCES)
    accuracy, self_cider = (
        run_metric(metric, batch, rng=np.random.default_rng(0)).corpus for metric in _build(["set-cider", "self-cider"])
    )

    found = measure_diversity(CAPTIONS, REFERENCES, documents=count_references(REFERENCES))

    assert found.accuracy == pytest.approx(accuracy)
    assert found.self_cider == pytest.approx(self_cider)


def test_people_are_compared_with_each_other() -> None:
    documents = count_references(REFERENCES)

    people = measure_people(REFERENCES, documents=documents)

    first = measure_diversity(
        [row[:1] for row in REFERENCES], [row[1:] for row in REFERENCES], documents=documents
    ).accuracy
    second = measure_diversity(
        [row[1:2] for row in REFERENCES], [row[:1] + row[2:] for row in REFERENCES], documents=documents
    ).accuracy
    third = measure_diversity(
        [row[2:] for row in REFERENCES], [row[:2] for row in REFERENCES], documents=documents
    ).accuracy
    assert people.accuracy == pytest.approx(np.mean([first, second, third]))
    assert people.self_cider == measure_diversity(REFERENCES, REFERENCES, documents=documents).self_cider

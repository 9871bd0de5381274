"""Tests of graphs and scores against the official SPICE 1.0 with its own tuples, and of the agreement with people.

Official tuples, scores and counts: golden/spice (spice-1.0.jar of pycocoevalcap 1.2 with CoreNLP 3.6.0). Agreement with
people: the README there, and Table 2 of Wang et al. (2020) for `spice-u-pascal`.
"""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.named import get_protocol
from metrics_plugins.api import Batch
from metrics_plugins.metrics.scene_graph.comparing import derive_counts
from metrics_plugins.metrics.scene_graph.graphs.kinds import TupleKind, load_attribute_kinds
from metrics_plugins.metrics.scene_graph.graphs.matching import KnownGraph, count_matches
from metrics_plugins.metrics.scene_graph.graphs.vocabulary import LemmaVocabulary
from metrics_plugins.metrics.scene_graph.tuple_files import TupleFile
from metrics_plugins.runtime import run_metric
from tests.correlation import shared_data
from tests.metrics_plugins.metrics.ngram.tokenized import load_blanks_registry
from tests.metrics_plugins.metrics.scene_graph import published
from tests.metrics_plugins.metrics.scene_graph.published import PublishedRows, Row
from tests.metrics_plugins.metrics.scene_graph.shuffled import ShuffledGraph

SPICE_METRICS = {
    "spice": TupleKind.ALL,
    "spice-object": TupleKind.OBJECT,
    "spice-attribute": TupleKind.ATTRIBUTE,
    "spice-relation": TupleKind.RELATION,
    "spice-color": TupleKind.COLOR,
    "spice-cardinality": TupleKind.CARDINALITY,
    "spice-size": TupleKind.SIZE,
}

# In their references a word is equally similar to two nodes ("setting" to "lot" and "background") or to two attributes
# of one object ("dark" to "blue" and "black", "heavy" to "big" and "overweight", "big" to "large" and "adult").
TIED_ROWS = [
    *("448|1", "575|1", "983|0", "1719|0", "1756|1", "2125|1"),
    *("2960|0", "3237|0", "3237|1", "3501|0", "3868|0", "3895|1"),
]
_DRAWS = 500


def run(metric_id: str, batch: Batch, tuples: str) -> np.ndarray:
    metric = load_blanks_registry().build(metric_id, tokenizer="blanks", tuples=tuples)
    return run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values


def find_differing(rows: PublishedRows, batch: Batch, tuples: str) -> list[str]:
    """Return the keys of the rows whose counts differ, after comparing the scores of all others with the official."""
    registry = load_blanks_registry()
    metric = registry.build("spice", tokenizer="blanks", tuples=tuples)
    counts = derive_counts(batch, tokenizer=metric.tokenizer, parser=metric.tuples)
    differs = (counts != rows.counts).any(axis=(1, 2))
    same = ~differs
    assert run("spice", batch, tuples)[same].tolist() == pytest.approx(rows.scores[same].tolist(), abs=1e-12, rel=0)
    for metric_id, kind in SPICE_METRICS.items():
        if kind is not TupleKind.ALL:
            expected = [measure_f(*line) for line in rows.counts[same, :, kind].tolist()]
            actual = run(metric_id, batch, tuples)[same].tolist()
            assert actual == pytest.approx(expected, abs=1e-12, rel=0, nan_ok=True)
    return [rows.keys[row] for row in np.flatnonzero(differs)]


def measure_f(matched: int, n_candidate: int, n_reference: int) -> float:
    if not n_reference:
        return float("nan")
    return 2 * matched / (n_candidate + n_reference) if matched else 0.0


def test_flickr8k_expert(data_folder: Path, official_tuples: str) -> None:
    rows = published.read_flickr8k_expert(data_folder)
    batch = rows.make_batch()

    assert len(rows.keys) == 5_822
    assert find_differing(rows, batch, official_tuples) == []

    judged = shared_data.read_flickr8k_expert().with_scores(run("spice", batch, official_tuples))
    (tau_c,) = evaluate_protocol(get_protocol("flickr8k-expert"), judged)
    assert tau_c.value == pytest.approx(0.4489, abs=5e-5)


@pytest.mark.slow
def test_flickr8k_cf(data_folder: Path, official_tuples: str) -> None:
    rows = published.read_flickr8k_cf(data_folder)
    batch = rows.make_batch()

    assert len(rows.keys) == 47_830
    assert find_differing(rows, batch, official_tuples) == []

    judged = shared_data.read_flickr8k_cf().with_scores(run("spice", batch, official_tuples))
    (tau_b,) = evaluate_protocol(get_protocol("flickr8k-cf"), judged)
    assert tau_b.value == pytest.approx(0.2442, abs=5e-5)


@pytest.mark.slow
def test_pascal_50s(data_folder: Path, official_tuples: str) -> None:
    rows = published.read_pascal_50s(data_folder)
    batch = rows.make_batch()

    assert len(rows.keys) == 8_000
    assert find_differing(rows, batch, official_tuples) == []

    pairs = shared_data.read_pascal_50s()
    scores = dict(zip(rows.keys, run("spice", batch, official_tuples), strict=True))
    keys = [key.replace("-", "|") for key in pairs.votes.items]
    judged = pairs.with_scores([[scores[f"{key}|0"], scores[f"{key}|1"]] for key in keys])
    accuracies = evaluate_protocol(get_protocol("pascal-50s", ties="half"), judged)
    expected = {"HC": 0.6385, "HI": 0.9655, "HM": 0.8755, "MM": 0.6705}
    assert {row.category: row.value for row in accuracies if row.category in expected} == pytest.approx(
        expected, abs=5e-5
    )


@pytest.mark.slow
def test_pascal_with_50_references(data_folder: Path, official_tuples: str, vocabulary: LemmaVocabulary) -> None:
    rows = published.read_pascal_with_50_references(data_folder)
    batch = rows.make_batch()

    assert len(rows.keys) == 8_000
    assert find_differing(rows, batch, official_tuples) == TIED_ROWS
    for key in TIED_ROWS:
        place = rows.keys.index(key)
        assert_some_draw_gives(rows.counts[place], rows.rows[place], official_tuples, vocabulary)

    scores = run("spice", batch, official_tuples).reshape(-1, 2)
    measured = evaluate_protocol(get_protocol("spice-u-pascal"), shared_data.read_spice_u_pascal().with_scores(scores))
    accuracies = {row.category: row.value for row in measured if row.coefficient == "accuracy" and row.category}
    expected = {"HC": 0.668, "HI": 0.985, "HM": 0.938, "MM": 0.711}
    assert {category: accuracies[category] for category in expected} == pytest.approx(expected, abs=5e-5)
    (pearson,) = (row.value for row in measured if row.coefficient == "pearson")
    assert pearson == pytest.approx(0.749, abs=5e-4)


def assert_some_draw_gives(expected: np.ndarray, row: Row, tuples: str, vocabulary: LemmaVocabulary) -> None:
    """Check that the official counts of a row come out for some ranks of equally similar nodes and attributes."""
    word_kinds = load_attribute_kinds()
    captions = TupleFile.open(tuples).parse([row[0], *row[1]])
    is_tied = False
    for seed in range(_DRAWS):
        rng = random.Random(seed)
        candidate, reference = ShuffledGraph(vocabulary, rng=rng), ShuffledGraph(vocabulary, rng=rng)
        candidate.add(captions[0])
        for proposals in captions[1:]:
            reference.add(proposals)
        is_tied |= candidate.is_tied or reference.is_tied
        known = [KnownGraph(graph, word_kinds) for graph in (candidate, reference)]
        if [count_matches(*known), *(graph.counts for graph in known)] == expected.tolist():
            break
    else:
        pytest.fail(f"no draw gives {expected.tolist()} for {row[0]!r}")
    assert is_tied


def test_golden_cases(golden_folder: Path, tmp_path: Path) -> None:
    """Hand-written tuples, scored by the classes of spice-1.0.jar with synonyms."""
    images = json.loads((golden_folder / "spice_tuples_input.json").read_text())
    expected = json.loads((golden_folder / "expected_spice_from_tuples.json").read_text())["with_synonyms"]
    path = tmp_path / "tuples.jsonl"
    lines = [(f"candidate {image['image_id']}", image["test_tuples"]) for image in images]
    for image in images:
        lines += [(f"reference {image['image_id']} {k}", tuples) for k, tuples in enumerate(image["ref_tuples"])]
    path.write_text("".join(json.dumps({"caption": caption, "tuples": tuples}) + "\n" for caption, tuples in lines))
    batch = Batch.make(
        [str(image["image_id"]) for image in images],
        candidates=[f"candidate {image['image_id']}" for image in images],
        references=[
            [f"reference {image['image_id']} {k}" for k in range(len(image["ref_tuples"]))] for image in images
        ],
    )
    names = dict(
        zip(SPICE_METRICS, ("All", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size"), strict=True)
    )

    for metric_id, name in names.items():
        values = [expected[key]["scores"][name]["f"] for key in batch.keys]
        scores = [np.nan if value is None else value for value in values]
        assert run(metric_id, batch, str(path)).tolist() == pytest.approx(scores, abs=1e-12, rel=0, nan_ok=True)

"""Tests of SPICE-U against the paper's code, and of its metrics on rows with known tuples."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_plugins.api import Batch
from metrics_plugins.metrics.scene_graph.concepts import ConceptTable
from metrics_plugins.metrics.scene_graph.spice import measure_agreement
from metrics_plugins.metrics.scene_graph.uniqueness import combine, place_candidate
from metrics_plugins.runtime import MetricRun, run_metric
from tests.metrics_plugins.metrics.ngram.tokenized import load_blanks_registry, make_batch

TUPLES = {
    "elephant": [["elephant"]],
    "person": [["person"]],
    "table": [["table"]],
    "all": [["person"], ["table"], ["elephant"]],
    "nothing": [],
    "dog": [["dog"]],
}


@pytest.fixture
def tuples(tmp_path: Path) -> str:
    path = tmp_path / "tuples.jsonl"
    lines = (json.dumps({"caption": caption, "tuples": proposals}) for caption, proposals in TUPLES.items())
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def run(metric_id: str, batch: Batch, *, fit_batch: Batch | None = None, **params: str) -> MetricRun:
    metric = load_blanks_registry().build(metric_id, tokenizer="blanks", **params)
    return run_metric(metric, batch, fit_batch=fit_batch, rng=np.random.default_rng(0))


def test_golden_cases(golden_folder: Path) -> None:
    """princetonvisualai/SPICE-U, compute_spiceu.py at 7a80b30; the first two are the paper's examples."""
    golden = json.loads((golden_folder / "spiceu_input.json").read_text())
    expected = json.loads((golden_folder / "expected_spiceu.json").read_text())
    n_images = 1_000_000
    table = ConceptTable(
        n_images=n_images,
        counts={name: round((1 - unusual) * n_images) for name, unusual in golden["uniqueness_table"].items()},
    )

    counts, uniqueness = [], []
    for case in golden["cases"]:
        candidate, references = (
            [tuple(each["tuple"]) for each in case[column]] for column in ("test_tuples", "ref_tuples")
        )
        n_matched = sum(each["truth_value"] for each in case["test_tuples"])
        counts.append([n_matched, len(candidate), len(references)])
        uniqueness.append(place_candidate(candidate, references, table=table))
    scores = combine(measure_agreement(np.array(counts)), np.array(uniqueness))

    assert uniqueness == pytest.approx([case["uniqueness"] for case in expected["cases"]], abs=1e-9, rel=0)
    assert scores.tolist() == pytest.approx([case["spiceu"] for case in expected["cases"]], abs=1e-9, rel=0)
    assert scores.mean() == pytest.approx(expected["corpus"], abs=1e-9, rel=0)
    assert scores[:2].round(2).tolist() == [0.67, 0.51]


def test_counts_concepts_over_the_references_that_it_is_fitted_on(tuples: str) -> None:
    # Of four images two mention a person, one a table, one an elephant: Un is .5, .75 and .75.
    corpus = make_batch([("nothing", [text]) for text in ("person", "person", "table", "elephant")])
    batch = make_batch([(text, ["all"]) for text in ("elephant", "table", "person", "nothing", "dog")])

    uniqueness = run("uniqueness", batch, fit_batch=corpus, tuples=tuples).scores.values.tolist()
    scores = run("spice-u", batch, fit_batch=corpus, tuples=tuples).scores.values.tolist()

    # Each candidate names one of three concepts: its F is .5. A dog, which no image has, is more unusual than all.
    assert uniqueness == [1.0, 1.0, 0.0, 1.0, 1.0]
    assert scores == pytest.approx([2 / 3, 2 / 3, 0.0, 0.0, 0.0], abs=1e-12)


def test_a_table_takes_the_place_of_the_corpus(tuples: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json.gz"
    ConceptTable(n_images=100, counts={"person": 25, "table": 13, "elephant": 2}).write(path, made_of={})
    batch = make_batch([("table", ["all"])])

    result = run("spice-u", batch, tuples=tuples, concepts=str(path))

    # The paper's second example: (.87 - .75) / (.98 - .75) and its harmonic mean with F = .5.
    assert result.scores.values.tolist() == pytest.approx([0.5106382978723404], abs=1e-9)
    assert str(result.signature).endswith("|v:1")
    fields = dict(result.signature.fields)
    assert len(fields["concepts"]) == len(fields["tuples"]) == 12


def test_rows_without_references_have_no_score(tuples: str) -> None:
    batch = make_batch([("person", []), ("person", ["all"])])

    for metric_id in ("spice-u", "uniqueness"):
        assert np.isnan(run(metric_id, batch, tuples=tuples).scores.values).tolist() == [True, False]


NAMES = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3).map(tuple), max_size=6, unique=True)


@given(candidate=NAMES, references=NAMES, counts=st.dictionaries(st.sampled_from("abcd"), st.integers(1, 7)))
def test_uniqueness_stays_within_0_and_1_whatever_the_order(
    candidate: list[tuple[str, ...]], references: list[tuple[str, ...]], counts: dict[str, int]
) -> None:
    table = ConceptTable(n_images=7, counts=counts)

    value = place_candidate(candidate, references, table=table)

    assert 0 <= value <= 1
    assert place_candidate(candidate[::-1], references[::-1], table=table) == value
    if set(references) <= set(candidate):
        assert value == 1

import json
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.metrics.scene_graph.spice import measure_agreement
from metrics_plugins.runtime import load_registry, run_metric
from tests.metrics_plugins.metrics.ngram.tokenized import load_blanks_registry, make_batch


def test_agreement_passes_one_where_one_reference_tuple_answers_several() -> None:
    # Matched, candidate, reference: {bicycle, motorcycle} against {bike} has P = 1, R = 2 and F = 4/3.
    counts = np.array([[2, 2, 1], [3, 4, 6], [0, 2, 3], [0, 0, 3], [0, 2, 0], [0, 0, 0]])

    assert measure_agreement(counts).tolist() == pytest.approx([4 / 3, 0.6, 0.0, 0.0, 0.0, 0.0], abs=1e-15)


def test_a_file_of_tuples_takes_the_place_of_the_parser(tmp_path: Path) -> None:
    path = tmp_path / "tuples.jsonl"
    captions = {"one": [["bicycle"], ["motorcycle"]], "two": [["bike"]]}
    path.write_text("".join(json.dumps({"caption": key, "tuples": some}) + "\n" for key, some in captions.items()))
    metric = load_blanks_registry().build("spice", tokenizer="blanks", tuples=str(path))

    result = run_metric(metric, make_batch([("one", ["two"]), ("", ["two"])]), rng=np.random.default_rng(0))

    assert result.scores.values.tolist() == pytest.approx([4 / 3, 0.0], abs=1e-15)
    assert result.corpus == pytest.approx(2 / 3, abs=1e-15)
    assert [key for key, _ in result.signature.fields] == ["tok", "tuples"]


def test_the_mean_of_a_kind_leaves_undefined_rows_out(tmp_path: Path) -> None:
    path = tmp_path / "tuples.jsonl"
    captions = {"red": [["dog", "red"]], "wet": [["dog", "wet"]]}
    path.write_text("".join(json.dumps({"caption": key, "tuples": some}) + "\n" for key, some in captions.items()))
    metric = load_blanks_registry().build("spice-color", tokenizer="blanks", tuples=str(path))

    result = run_metric(
        metric, make_batch([("red", ["wet"]), ("red", ["red"]), ("wet", ["red"])]), rng=np.random.default_rng(0)
    )

    assert result.scores.values.tolist() == pytest.approx([float("nan"), 1.0, 0.0], nan_ok=True)
    assert result.corpus == pytest.approx(0.5)


def test_the_signature_names_parser_and_model() -> None:
    signature = load_registry().build("spice").signature

    assert [key for key, _ in signature.fields] == ["tok", "parser", "spacy", "model"]
    assert dict(signature.fields)["spacy"].startswith("3.")

"""Tests of all n-gram metrics: other rows never change a score, any text is accepted, and the peer agrees."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocoevalcap.bleu.bleu_scorer import BleuScorer
from pycocoevalcap.cider.cider_scorer import CiderScorer
from pycocoevalcap.rouge.rouge import Rouge

from metrics_plugins.api import Batch, Fittable, Metric, hookimpl
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.runtime import fit_metric, load_registry, run_metric
from tests.metrics_plugins.metrics.ngram.tokenized import GOLDEN, METRICS, Blanks, load_blanks_registry, make_batch, run

Rows = Sequence[tuple[str, Sequence[str]]]

WORDS = st.lists(st.sampled_from(["a", "dog", "the", "red", "ball"]), max_size=12).map(" ".join)
SOME_WORDS = WORDS.filter(bool)  # the peer's CIDEr stops if no reference of any row has a word
FEW_ROWS = st.lists(st.tuples(WORDS, st.lists(SOME_WORDS, min_size=1, max_size=4)), min_size=1, max_size=6)
ANY_TEXT = st.text(st.characters(), max_size=12)
ANY_ROWS = st.lists(st.tuples(ANY_TEXT | WORDS, st.lists(ANY_TEXT | WORDS, max_size=3)), min_size=1, max_size=4)


@pytest.fixture(scope="module")
def real_batch(data_folder: Path) -> Batch:
    """10,000 captions of COCO, lower-case and mostly without punctuation, with five or six references each."""
    with gzip.open(data_folder / "coco" / "example_input.json.gz", "rt") as file:
        images = json.load(file)
    return Batch.make(
        [str(image["image_id"]) for image in images],
        candidates=[image["test"] for image in images],
        references=[image["refs"] for image in images],
    )


def fit(metric_id: str, batch: Batch) -> Metric:
    metric = load_blanks_registry().build(metric_id, tokenizer="blanks")
    return fit_metric(metric, batch, rng=np.random.default_rng(0)) if isinstance(metric, Fittable) else metric


def score(metric: Metric, batch: Batch) -> np.ndarray:
    """Return the bits of each score, so that equal means equal to the last one, NaN included."""
    return run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values.view(np.int64)


def test_all_are_registered() -> None:
    registry = load_blanks_registry()

    assert sorted(name.info.id for name in registry if name.plugin == "ngram") == sorted(METRICS)


@pytest.mark.parametrize("metric_id", METRICS)
def test_scores_do_not_depend_on_other_rows(metric_id: str, real_batch: Batch) -> None:
    metric = fit(metric_id, real_batch)
    whole = score(metric, real_batch)
    order = np.random.default_rng(1).permutation(len(real_batch))

    assert np.array_equal(score(metric, real_batch.select(order)), whole[order])
    parts = [score(metric, real_batch.select(rows)) for rows in np.array_split(order, [1, 3, 10, 100, 2000])]
    assert np.array_equal(np.concatenate(parts), whole[order])
    alone = [score(metric, real_batch.select([row]))[0] for row in order[:50]]
    assert alone == whole[order[:50]].tolist()


@pytest.mark.parametrize("metric_id", METRICS)
def test_order_of_references_and_of_rows_fitted_on_does_not_change_a_bit(metric_id: str, real_batch: Batch) -> None:
    generator = np.random.default_rng(2)
    order = generator.permutation(len(real_batch))
    shuffled = Batch.make(
        real_batch.keys,
        candidates=real_batch.candidates,
        references=[generator.permutation(np.array(row, dtype=object)).tolist() for row in real_batch.references],
    )

    expected = score(fit(metric_id, real_batch), real_batch)
    assert np.array_equal(score(fit(metric_id, shuffled.select(order)), shuffled), expected)


@given(rows=ANY_ROWS, seed=st.integers(0, 9))
@settings(deadline=None)
def test_any_text_stays_within_bounds_and_rows_stay_apart(rows: Rows, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(rows))
    for metric_id in METRICS:
        metric = fit(metric_id, make_batch(rows))
        whole = score(metric, make_batch(rows))  # raises BadScores out of bounds
        turned = make_batch([(rows[row][0], rows[row][1][::-1]) for row in order])
        assert score(metric, turned).tolist() == whole[order].tolist()
        assert [score(metric, make_batch([row]))[0] for row in rows] == whole.tolist()


def run_peer(rows: Rows) -> dict[str, list[float]]:
    """Return what pycocoevalcap says of tokenised captions: an independent program for the same numbers."""
    bleu = BleuScorer(n=4)
    for candidate, references in rows:
        bleu += (candidate, list(references))
    _, bleu_scores = bleu.compute_score(option="closest", verbose=0)
    cider = CiderScorer(n=4, sigma=6.0)
    for candidate, references in rows:
        cider += (candidate, list(references))
    _, cider_scores = cider.compute_score()
    rouge = Rouge()
    return {
        **{f"bleu-{n}": list(values) for n, values in enumerate(bleu_scores, start=1)},
        "rouge-l": [rouge.calc_score([candidate], list(references)) for candidate, references in rows],
        "cider-d": cider_scores.tolist(),
    }


@given(rows=FEW_ROWS)
@settings(deadline=None)
def test_random_captions_score_as_with_the_peer(rows: Rows) -> None:
    for metric_id, expected in run_peer(rows).items():
        assert run(metric_id, make_batch(rows)).scores.values.tolist() == pytest.approx(expected, abs=1e-9), metric_id


def test_real_captions_score_as_with_the_peer(real_batch: Batch) -> None:
    batch = real_batch.select(range(2000))
    rows = list(zip(batch.candidates, batch.references, strict=True))

    for metric_id, expected in run_peer(rows).items():
        assert run(metric_id, batch).scores.values.tolist() == pytest.approx(expected, abs=1e-9), metric_id


def test_captions_are_tokenised_once_for_all_metrics(real_batch: Batch) -> None:
    calls = []

    class Counting(Blanks):
        def tokenize(self, captions: Sequence[str]) -> list[str]:
            calls.append(len(captions))
            return super().tokenize(captions)

    class CountingPlugin:
        @hookimpl
        def provide_tokenizer(self, name: str) -> Tokenizer | None:
            return Counting() if name == "counting" else None

    registry = load_registry([CountingPlugin()])
    batch = real_batch.select(range(50))
    for metric_id in METRICS:
        run_metric(registry.build(metric_id, tokenizer="counting"), batch, rng=np.random.default_rng(0))

    assert calls == [batch.derive_texts("number of captions", len)]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        # jmhessel/clipscore, README: BLEU-1 to BLEU-4, ROUGE-L and CIDEr (its CIDEr is CIDEr-D), to four digits.
        ("good_captions.json", [0.6667, 0.4899, 0.3469, 0.0000, 0.4280, 0.5637]),
        ("bad_captions.json", [0.4815, 0.2404, 0.1359, 0.0000, 0.3121, 0.2790]),
    ],
)
def test_published_numbers_of_clipscore(file: str, expected: list[float], data_folder: Path) -> None:
    folder = data_folder / "metric_examples" / "clipscore"
    references = json.loads((folder / "refs.json").read_text())
    captions = json.loads((folder / file).read_text())
    batch = Batch.make(captions, candidates=captions.values(), references=[references[image] for image in captions])
    registry = load_registry()

    metrics = ("bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-l", "cider-d")
    corpora = [run_metric(registry.build(name), batch, rng=np.random.default_rng(0)).corpus for name in metrics]

    assert corpora == pytest.approx(expected, abs=0.5e-4)


def test_raw_golden_captions_give_the_golden_scores(golden_folder: Path) -> None:
    captions = {row["image_id"]: row["caption"] for row in json.loads((golden_folder / "candidates.json").read_text())}
    references: dict[int, list[str]] = {image: [] for image in captions}
    for row in json.loads((golden_folder / "references.json").read_text())["annotations"]:
        references[row["image_id"]].append(row["caption"])
    batch = Batch.make(map(str, captions), candidates=captions.values(), references=references.values())
    registry = load_registry()

    for metric_id, field in [("rouge-l", "rouge_l"), ("cider", "cider"), ("cider-d", "cider_d")]:
        result = run_metric(registry.build(metric_id), batch, rng=np.random.default_rng(0))
        assert result.scores.values.tolist() == pytest.approx([image[field] for image in GOLDEN["images"]], abs=1e-9)
        assert result.corpus == pytest.approx(GOLDEN["corpus"][field], abs=1e-9)
    for order, expected in enumerate(GOLDEN["corpus"]["bleu"], start=1):
        result = run_metric(registry.build(f"bleu-{order}"), batch, rng=np.random.default_rng(0))
        assert result.corpus == pytest.approx(expected, abs=1e-9)

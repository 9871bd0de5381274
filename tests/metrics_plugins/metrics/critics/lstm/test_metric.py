"""Tests of `critic-lstm` as a metric: its contract, the guard on training data, and independence of other rows."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.api.errors import FittedOnEvaluation
from metrics_plugins.runtime import run_metric
from metrics_plugins.runtime.checks import CheckCase, parametrize_with_checks
from tests.metrics_plugins.metrics.critics.lstm.tiny import SmallCritic, build, make_batch, train


@parametrize_with_checks([SmallCritic])
def test_contract(check: CheckCase) -> None:
    check()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("critic")
    train(folder, dropout=0.1, epochs=10)
    return folder


@pytest.fixture
def rows() -> Batch:
    """Images that nothing was learned from, with one to three references each."""
    batch = make_batch(40, first=100)
    references = [captions[: 1 + row % 3] for row, captions in enumerate(batch.references)]
    return Batch.make(batch.keys, candidates=batch.candidates, references=references)


def score(metric: object, batch: Batch) -> np.ndarray:
    return run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values


def test_score_is_the_mean_over_references(folder: Path, rows: Batch) -> None:
    metric = build(weights=str(folder))
    alone = [
        score(metric, Batch.make(["x"], candidates=[candidate], references=[[reference]]))[0]
        for candidate, captions in zip(rows.candidates, rows.references, strict=True)
        for reference in captions
    ]
    parts = np.split(np.array(alone), np.cumsum(rows.reference_rows.lengths)[:-1])

    np.testing.assert_allclose(score(metric, rows), [part.mean() for part in parts], rtol=1e-15)


def test_score_is_the_networks_probability(folder: Path) -> None:
    metric = build(weights=str(folder)).fit(make_batch(), None, np.random.default_rng(0))
    captions, network = metric.weights.vocabulary, metric._scorer.network
    encoded = captions.encode(["a dog runs", "near a tree a dog"], steps=15, long="cut")

    with torch.no_grad():
        vectors = network.read(torch.from_numpy(encoded.ids), torch.from_numpy(encoded.ends))
        logits = network.join(vectors[:1], references=vectors[1:]).double()
    batch = Batch.make(["x"], candidates=["A dog runs."], references=[["near a tree, a dog"]])
    expected = 1 / (1 + np.exp(float(logits[0, 1] - logits[0, 0])))
    assert score(metric, batch)[0] == pytest.approx(expected, abs=1e-6)


def test_scores_do_not_depend_on_other_rows(folder: Path, rows: Batch) -> None:
    metric = build(weights=str(folder))
    whole = score(metric, rows)
    order = np.random.default_rng(1).permutation(len(rows))

    assert score(metric, rows.select(order)).tolist() == whole[order].tolist()
    assert [score(metric, rows.select([row]))[0] for row in range(len(rows))] == whole.tolist()


def test_bfloat16_scores_nearly_the_same(folder: Path, rows: Batch) -> None:
    whole, half = build(weights=str(folder)), build(weights=f"{folder}@bfloat16")
    fitted = half.fit(rows, None, np.random.default_rng(0))
    expected, found = score(whole, rows), score(half, rows)

    assert str(whole.signature).split("|")[3] == f"weights:{whole.weights.digest}"
    assert str(half.signature).split("|")[3] == f"weights:{whole.weights.digest}@bfloat16"
    assert fitted.signature == half.signature
    assert (whole.precision, half.precision, fitted.precision) == ("float32", "bfloat16", "bfloat16")
    # The numbers have 8 binary digits: here they changed 4e-4 of scores that are 4e-2 apart.
    assert np.ptp(expected) > 0.02
    assert 0 < np.abs(found - expected).max() < 2e-3
    # Logits have all their digits, or else half of the scores would be ties.
    assert len(set(found)) == len(set(expected))


@pytest.mark.parametrize("head", ["linear", "mlp"])
def test_bfloat16_with_other_heads(head: str, rows: Batch, tmp_path: Path) -> None:
    train(tmp_path, head=head)
    expected, found = (score(build(weights=f"{tmp_path}{mark}"), rows) for mark in ("", "@bfloat16"))

    assert 0 < np.abs(found - expected).max() < 2e-3


def test_scores_in_bfloat16_do_not_depend_on_other_rows(folder: Path, rows: Batch) -> None:
    metric = build(weights=f"{folder}@bfloat16")
    whole = score(metric, rows)

    assert [score(metric, rows.select([row]))[0] for row in range(len(rows))] == whole.tolist()


def test_precisions_do_not_share_cached_features(folder: Path, rows: Batch) -> None:
    rng = np.random.default_rng(0)
    metrics = [build(weights=f"{folder}{mark}").fit(rows, None, rng) for mark in ("", "@bfloat16")]

    together = [metric.score(rows).values.tolist() for metric in metrics]

    apart = Batch.make(rows.keys, candidates=rows.candidates, references=rows.references)
    assert together[1] == metrics[1].score(apart).values.tolist()
    assert together[0] != together[1]


def test_folder_may_have_the_mark_in_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "critic@home"
    folder.mkdir()
    train(folder, epochs=1)

    assert build(weights=str(folder)).precision == "float32"
    assert build(weights=f"{folder}@bfloat16").precision == "bfloat16"
    told = r"^weights '.*critic@home@half' is not a folder, and '@' must be followed by float32 or bfloat16$"
    with pytest.raises(MetricError, match=told):
        build(weights=f"{folder}@half")


def test_captions_that_it_learned_from_are_refused(folder: Path) -> None:
    learned = make_batch(3, first=22)

    with pytest.raises(FittedOnEvaluation, match=r"learned from captions of 2 of the images of these 3 rows \(such as"):
        score(build(weights=str(folder)), learned)


def test_images_are_known_by_their_own_keys(folder: Path, rows: Batch) -> None:
    batch = Batch.make(
        ["a", "b"], candidates=["a dog", "a dog"], references=[["a dog"], ["a dog"]], image_keys=["new", "image 5"]
    )

    with pytest.raises(FittedOnEvaluation, match="'image 5'"):
        score(build(weights=str(folder)), batch)


def test_given_weights_need_nothing_to_learn_from(folder: Path, rows: Batch) -> None:
    metric = build(weights=str(folder))

    assert metric.is_fitted
    assert not build().is_fitted
    with pytest.raises(MetricError, match="is already fitted"):
        metric.train(rows, None, np.random.default_rng(0), folder=folder)


def test_fitted_metric_travels_without_its_network(folder: Path, rows: Batch) -> None:
    metric = build(weights=str(folder)).fit(rows, None, np.random.default_rng(0))
    before = score(metric, rows)

    arrived = pickle.loads(pickle.dumps(metric))  # noqa: S301  (bytes made one step before)

    assert "_scorer" not in vars(arrived)
    assert score(arrived, rows).tolist() == before.tolist()


def test_long_captions_are_told_apart_unless_as_in_the_paper(tmp_path: Path) -> None:
    long = "a dog runs on the beach near a tree in the street with two men and "
    batch = Batch.make(
        ["x", "y"], candidates=[long + "birds", "two men " + long], references=[["a dog runs"], ["a dog runs"]]
    )
    cut, paper = (
        score(build(long=choice).fit(make_batch(), None, np.random.default_rng(0)), batch)
        for choice in ("cut", "paper")
    )

    assert cut[0] != cut[1]
    assert paper[0] == paper[1]


def test_row_without_references_has_no_score_beside_one(folder: Path) -> None:
    batch = Batch.make(["x", "y"], candidates=["a dog", "a cat"], references=[[], ["a dog"]])

    values = score(build(weights=str(folder)), batch)

    assert np.isnan(values).tolist() == [True, False]


def test_nothing_to_learn_from_is_told() -> None:
    batch = Batch.make(["x"], candidates=["a dog"], references=[["a dog"]])

    with pytest.raises(MetricError, match="learns from images with 2 human captions each at least"):
        build().fit(batch, None, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"rate": 0.0}, "`rate` of metric 'critic-lstm' must be positive, got 0.0"),
        ({"dropout": 1.0}, "`dropout` .* must be at least 0 and below 1, got 1.0"),
        (
            {"negatives": "machine+bleu"},
            r"`negatives` .* must be some of machine, sampled, rc, near, wp, rw, separated by \+",
        ),
        ({"negatives": "near"}, "`negatives` .* must be without `near` where `gamma` is 0, got 'near'"),
        ({"patience": 2}, "`patience` .* must be 0 where `validation` is 0, got 2"),
        ({"steps": 0}, "`steps` .* must be at least 1, got 0"),
        ({"gamma": 1.5}, r"`gamma` .* must be within \[0, 1\], got 1.5"),
    ],
)
def test_choices_that_break_a_rule_are_named(params: dict, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        build(**params)


def test_listing_and_building_import_no_torch() -> None:
    program = (
        "import sys\n"
        "from metrics_plugins.runtime import load_registry\n"
        "load_registry().build('critic-lstm', vectors='random')\n"
        "print('torch' in sys.modules)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert result.stdout == "False\n"

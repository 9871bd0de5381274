"""Tests of `critic-reference` as a metric: contract, parts, the guard on training data, independence of other rows."""

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.api.errors import FittedOnEvaluation, MissingResource
from metrics_plugins.api.signature import format_value
from metrics_plugins.encoders.images.clip import ClipEncoder
from metrics_plugins.metrics.critics.reference.heads import Head
from metrics_plugins.metrics.critics.reference.metric import CriticReference
from metrics_plugins.metrics.critics.reference.settings import PARTS
from metrics_plugins.runtime import run_metric
from tests.metrics_plugins.encoders.tiny import make_folder, open_shared_clip
from tests.metrics_plugins.metrics.critics.reference.tiny import build, make_batch, open_encoder, train


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("head")
    train(folder)
    return folder


@pytest.fixture
def metric(folder: Path) -> CriticReference:
    return build(weights=str(folder))


@pytest.fixture
def rows() -> Batch:
    """Captions that nothing was learned from, with none to five references each, so that some have ceilings."""
    captions = ["a dog", "the red cat on the grass", "two dogs", "cat sleeps", "", "the grass"]
    references = [[captions[(row + step) % 6] + " the" for step in range(row % 6)] for row in range(12)]
    return Batch.make(map(str, range(12)), candidates=captions * 2, references=references)


def score(metric: CriticReference, batch: Batch) -> np.ndarray:
    return run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values


def test_score_is_the_weighted_sum_of_seven_agreements(tmp_path: Path) -> None:
    metric = train(tmp_path, content=0.25)
    head, encoder = Head.read(tmp_path), open_encoder()
    candidate, references = "the cat on grass", ["two red dog", "a cat sleeps the"]

    def look(text: str) -> tuple[np.ndarray, ...]:
        tokens = encoder.encode_tokens([text])
        words = head.tokens.project(tokens.vectors[~tokens.is_special])
        plain = encoder.encode([text])
        sentence = head.sentences.project(plain)
        return tuple(each / np.linalg.norm(each, axis=1, keepdims=True) for each in (words, sentence, plain))

    words, sentence, plain = look(candidate)
    looks = [look(reference) for reference in references]
    support = np.max([(words @ own.T).max(axis=1) for own, _, _ in looks], axis=0)
    recall = np.mean([(words @ own.T).max(axis=0).mean() for own, _, _ in looks])
    cosine = np.mean([(plain @ own.T).item() for _, _, own in looks])
    best = max((sentence @ own.T).item() for _, own, _ in looks)
    tokens = encoder.encode_tokens([candidate])
    expected, rarity = head.vocabulary.look_up(tokens.ids[~tokens.is_special])
    rare = (rarity * support).sum() / rarity.sum()
    found = [cosine, best, support.mean(), recall, (support - expected).sum(), rarity.sum(), rare]
    weights = np.array(replace(metric.settings, content=0.25).weights) / head.spreads
    batch = Batch.make(["x"], candidates=[candidate], references=[references])
    assert score(metric, batch)[0] == pytest.approx(float(found @ weights / np.abs(weights).sum()), abs=1e-6)


def test_copies_of_references_reach_what_the_best_of_them_reaches_beside_the_others(metric: CriticReference) -> None:
    references = ("two red dog", "a cat sleeps the", "the dog runs", "grass on the cat", "red cat")
    batch = Batch.make(references, candidates=references, references=[references] * 5)

    parts = metric.measure(batch)

    # Without a ceiling the nearest cosine and precision of a copy are 1.
    for capped in (parts[:, 2], parts[:, 1]):
        assert capped.tolist() == [capped[0]] * 5
        assert 0 < capped[0] < 0.999
    sentences = metric.head.sentences.project(open_encoder().encode(references)).astype(np.float64)
    sentences /= np.linalg.norm(sentences, axis=1, keepdims=True)
    cosines = sentences @ sentences.T
    nearest = np.where(np.eye(5) > 0, -1.0, cosines).max(axis=0)
    assert capped[0] == pytest.approx(nearest.max(), abs=1e-6)


def test_row_without_references_has_no_score(metric: CriticReference, rows: Batch) -> None:
    assert np.isnan(score(metric, rows)).tolist() == [row % 6 == 0 for row in range(12)]


def test_scores_do_not_depend_on_other_rows(metric: CriticReference, rows: Batch) -> None:
    whole = score(metric, rows)
    order = np.random.default_rng(1).permutation(len(rows))

    np.testing.assert_array_equal(score(metric, rows.select(order)), whole[order])
    alone = [score(metric, rows.select([row]))[0] for row in range(len(rows))]
    np.testing.assert_array_equal(alone, whole)


def test_order_of_references_does_not_change_a_bit(metric: CriticReference, rows: Batch) -> None:
    turned = Batch.make(rows.keys, candidates=rows.candidates, references=[own[::-1] for own in rows.references])

    np.testing.assert_array_equal(score(metric, turned), score(metric, rows))


def test_captions_that_it_learned_from_are_refused(metric: CriticReference) -> None:
    learned = make_batch(3)

    with pytest.raises(FittedOnEvaluation, match=r"learned from most of the references of 3 of these 3 rows \(such as"):
        score(metric, learned)


def test_what_people_write_of_many_images_is_no_sign(metric: CriticReference) -> None:
    known = make_batch(1).references[0]
    batch = Batch.make(
        ["one of one", "one of two", "half"],
        candidates=["a dog"] * 3,
        references=[known[:1], [known[0], "the the"], [*known[:2], "the the", "a a"]],
    )

    assert np.isfinite(score(metric, batch)).all()


def test_head_of_another_encoder_is_refused(folder: Path, rows: Batch, tmp_path: Path) -> None:
    other = make_folder(tmp_path / "other", pooling="cls")

    with pytest.raises(MetricError, match=r"its head learned on an encoder of digest \w+, and 'other' has \w+"):
        score(build(weights=str(folder), encoder=str(other)), rows)


def test_encoder_without_tokens_is_refused() -> None:
    clip = open_shared_clip()
    assert ClipEncoder.open(clip, name="clip").dimension

    with pytest.raises(MetricError, match="gives no vectors of tokens"):
        build(encoder=str(clip))


def test_missing_head_is_told_when_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingResource, match="holds no head"):
        build(weights=str(tmp_path))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"rate": -1.0}, "rate must be 0 or more, got -1.0"),
        ({"token_shrinkage": 0.0}, "token_shrinkage must be above 0 and at most 1"),
        ({"sentence_shrinkage": 1.5}, "sentence_shrinkage must be above 0 and at most 1"),
        ({"seeds": 0}, "seeds must be 1 or more"),
        ({"near": 9}, "near must be at most neighbours, 5"),
        ({"rate": float("nan")}, "rate must be a number, got nan"),
        (dict.fromkeys(PARTS, 0.0), "one of cosine, best, precision, recall, support, content, rare_precision must"),
    ],
)
def test_choices_that_break_a_rule_are_named(params: dict[str, float], message: str) -> None:
    with pytest.raises(MetricError, match=message):
        build(**params)


def test_signature_names_encoder_head_and_every_choice(metric: CriticReference, folder: Path) -> None:
    encoder, head = open_encoder(), Head.read(folder)
    described = {name: format_value(value) for name, value in head.settings.to_json().items()}

    assert dict(metric.signature.fields) == {
        "encoder": f"{encoder.name}+{encoder.digest}",
        "head": head.digest,
        **described,
    }
    assert (described["steps"], described["altered"]) == ("5", "yes")


def test_signatures_of_what_learns_otherwise_differ() -> None:
    assert build(steps=5).get_trainable().signature != build(steps=6).get_trainable().signature


def test_choices_of_learning_are_not_passed_over_when_scoring(rows: Batch) -> None:
    with pytest.raises(MetricError, match=r"the head in .*head has the settings of its training; to use others"):
        score(build(encoder="minilm", recall=0.5), rows)


def test_training_again_reads_the_stored_weights(folder: Path) -> None:
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}

    assert train(folder).head.digest == Head.read(folder).digest
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before


@pytest.mark.parametrize("changes", [{"seed": 1}, {"steps": 6}, {"batch": make_batch(12)}])
def test_folder_of_another_head_is_refused(folder: Path, changes: dict[str, object]) -> None:
    with pytest.raises(MetricError, match="contains a head trained on other captions or with other settings"):
        train(folder, **changes)


def test_fit_learns_what_train_keeps(folder: Path, rows: Batch) -> None:
    learner = build().get_trainable()

    fitted = learner.fit(make_batch(), None, np.random.default_rng(0))

    assert fitted.head.digest == Head.read(folder).digest
    arrived = pickle.loads(pickle.dumps(fitted))  # noqa: S301  (bytes made here)
    np.testing.assert_array_equal(score(arrived, rows), score(build(weights=str(folder)), rows))


def test_listing_and_building_import_no_torch() -> None:
    program = (
        "import sys\n"
        "from metrics_plugins.runtime import load_registry\n"
        "load_registry().build('critic-reference').signature\n"
        "print('torch' in sys.modules)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert result.stdout == "False\n"

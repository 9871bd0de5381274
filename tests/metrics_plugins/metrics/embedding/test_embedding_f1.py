"""Tests of greedy matching against the package bert-score with the same weights, with and without idf and baseline."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.encoders.transformer import TransformerEncoder
from metrics_plugins.runtime import load_registry, run_metric

CANDIDATES = [
    "A dog runs across the grass .",
    "two children in red coats play with a ball on the beach",
    "a man",
    "People are standing outside of a building, waiting for the bus!",
]
REFERENCES = [
    ["A brown dog is running over a meadow .", "the dog chases a ball"],
    ["kids are playing at the sea", "Two girls throw a beach ball .", "a ball"],
    ["a man"],
    ["A crowd waits at a bus stop .", "the people wait"],
]
BASELINE = 0.3


def _score(metric_id: str = "embedding-f1", **params: object) -> np.ndarray:
    batch = Batch.make("0123", candidates=CANDIDATES, references=REFERENCES)
    return run_metric(load_registry().build(metric_id, **params), batch, rng=np.random.default_rng(0)).scores.values


def _score_with_bert_score(*, idf: bool) -> list[np.ndarray]:
    """Return F1 for every reference of each row, as bert-score 0.3.13 computes it from MiniLM's last layer."""
    from bert_score.utils import bert_cos_score_idf, get_idf_dict
    from transformers import AutoModel, AutoTokenizer

    encoder = load_registry().get_encoder("minilm")
    assert isinstance(encoder, TransformerEncoder)
    tokenizer = AutoTokenizer.from_pretrained(encoder.folder.transformer)
    model = AutoModel.from_pretrained(encoder.folder.transformer).eval()
    texts = [text for references in REFERENCES for text in references]
    candidates = [text for text, row in zip(CANDIDATES, REFERENCES, strict=True) for _ in row]
    weights: dict[int, float] = get_idf_dict(texts, tokenizer, nthreads=0) if idf else _Ones(tokenizer)
    scores = bert_cos_score_idf(model, texts, candidates, tokenizer, weights, device="cpu")
    return np.split(scores[:, 2].numpy(), np.cumsum([len(row) for row in REFERENCES])[:-1])


class _Ones(dict[int, float]):
    """Every token counts the same, and those around a text nothing: what bert-score does without idf."""

    def __init__(self, tokenizer: object) -> None:
        super().__init__({tokenizer.cls_token_id: 0.0, tokenizer.sep_token_id: 0.0})

    def __missing__(self, key: int) -> float:
        return 1.0


@pytest.fixture(scope="module")
def plain() -> Sequence[np.ndarray]:
    return _score_with_bert_score(idf=False)


@pytest.fixture(scope="module")
def rare() -> Sequence[np.ndarray]:
    return _score_with_bert_score(idf=True)


def test_mean_over_references(plain: Sequence[np.ndarray]) -> None:
    np.testing.assert_allclose(_score(), [row.mean() for row in plain], atol=2e-6)


def test_best_reference(plain: Sequence[np.ndarray]) -> None:
    np.testing.assert_allclose(_score(over="max"), [row.max() for row in plain], atol=2e-6)


def test_baseline(plain: Sequence[np.ndarray]) -> None:
    # bert_score.score: all_preds = (all_preds - baselines) / (1 - baselines)
    expected = [((row - BASELINE) / (1 - BASELINE)).mean() for row in plain]

    np.testing.assert_allclose(_score(baseline=BASELINE), expected, atol=4e-6)


def test_idf(rare: Sequence[np.ndarray], plain: Sequence[np.ndarray]) -> None:
    scores = _score("embedding-f1-idf")

    np.testing.assert_allclose(scores, [row.mean() for row in rare], atol=2e-6)
    assert np.abs(scores - [row.mean() for row in plain]).max() > 0.01


def test_signatures(tiny_folder: Path) -> None:
    registry = load_registry()
    printed = f"{tiny_folder.name}+{registry.get_encoder(str(tiny_folder)).digest}"

    signatures = [
        str(registry.build(name, encoder=str(tiny_folder), baseline=0.5).signature)
        for name in ("embedding-f1", "embedding-f1-idf")
    ]

    assert signatures == [
        f"embedding-f1|encoder:{printed}|over:mean|baseline:0.5|v:1",
        f"embedding-f1-idf|encoder:{printed}|over:mean|baseline:0.5|idf:references|v:1",
    ]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"over": "min"}, "metric 'embedding-f1': over must be 'mean' or 'max', got 'min'"),
        ({"baseline": 1.0}, "metric 'embedding-f1': baseline must be at least 0 and below 1, got 1.0"),
        ({"encoder": "glove"}, "metric 'embedding-f1': encoder 'glove' gives no vectors of tokens"),
    ],
)
def test_wrong_parameters(params: dict, message: str) -> None:
    with pytest.raises(MetricError) as caught:
        load_registry().build("embedding-f1", **params)

    assert str(caught.value) == message


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_precision_is_the_encoders(precision: str) -> None:
    batch = Batch.make("0", candidates=["a"], references=[["a"]])
    plain, idf = (
        load_registry().build(name, encoder=f"minilm@{precision}") for name in ("embedding-f1", "embedding-f1-idf")
    )
    fitted = idf.fit(batch, None, np.random.default_rng(0))

    assert [each.precision for each in (plain, idf, fitted)] == [precision] * 3

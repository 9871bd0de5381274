"""Tests of CLIPScore on a tiny random CLIP against the paper's formulas, computed with transformers alone."""

from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.runtime import load_registry, run_metric
from tests.metrics_plugins.encoders.tiny import draw_shared_images, open_shared_clip

CANDIDATES = ["a dog runs", "Two cats sleep on the grass", "a red ball", "zebra"]
REFERENCES = [["a dog runs on the grass", "two dogs"], ["cats"], [], ["a dog runs", "zebra", "zebra"]]


def _score(metric_id: str, **columns: object) -> np.ndarray:
    batch = Batch.make([str(row) for row in range(len(CANDIDATES))], candidates=CANDIDATES, **columns)
    metric = load_registry().build(metric_id, encoder=str(open_shared_clip()))
    return run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values


@pytest.fixture(scope="module")
def by_hand() -> tuple[list[float], list[float]]:
    """Return CLIP-S and RefCLIP-S, from transformers' own model, tokenizer and image processor."""
    import torch
    from PIL import Image
    from transformers import CLIPModel, PreTrainedTokenizerFast
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    folder = open_shared_clip()
    model = CLIPModel.from_pretrained(folder).eval()
    ends = {"eos_token": "<|endoftext|>", "pad_token": "<|endoftext|>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), **ends)
    processor = CLIPImageProcessorPil.from_pretrained(folder)

    def embed(text: str) -> torch.Tensor:
        ids = tokenizer(f"A photo depicts {text}", return_tensors="pt")["input_ids"]
        return model.get_text_features(input_ids=ids).pooler_output[0]

    def cosine(left: torch.Tensor, right: torch.Tensor) -> float:
        return float(left @ right / left.norm() / right.norm())

    plain, with_references = [], []
    with torch.inference_mode():
        for candidate, references, path in zip(CANDIDATES, REFERENCES, draw_shared_images(), strict=True):
            pixels = processor(images=Image.open(path).convert("RGB"), return_tensors="pt")["pixel_values"]
            image = model.get_image_features(pixel_values=pixels).pooler_output[0]
            score = 2.5 * max(cosine(image, embed(candidate)), 0.0)
            plain.append(score)
            nearest = max((cosine(embed(candidate), embed(text)) for text in references), default=float("nan"))
            both = score + max(nearest, 0.0)
            with_references.append(2 * score * nearest / both if both else 0.0)
    return plain, with_references


def test_clip_score(by_hand: tuple[list[float], list[float]]) -> None:
    scores = _score("clip-score", images=draw_shared_images())

    assert len({round(score, 4) for score in by_hand[0]}) > 2
    np.testing.assert_allclose(scores, by_hand[0], atol=2e-6)


def test_ref_clip_score(by_hand: tuple[list[float], list[float]]) -> None:
    scores = _score("ref-clip-score", images=draw_shared_images(), references=REFERENCES)

    np.testing.assert_allclose(scores, [*by_hand[1][:2], np.nan, by_hand[1][3]], atol=2e-6)


def test_signature_names_the_weights() -> None:
    registry = load_registry()
    folder = open_shared_clip()
    encoder = registry.get_encoder(str(folder))

    signature = str(registry.build("clip-score", encoder=str(folder)).signature)

    assert signature == f"clip-score|encoder:{folder.name}+{encoder.digest}|v:1"


def test_one_image_of_many_rows_is_encoded_once(tmp_path: Path) -> None:
    # A copy has the same content, and so the same vector, wherever it lies.
    first = draw_shared_images()[1]
    copy = tmp_path / "copy.png"
    copy.write_bytes(first.read_bytes())
    batch = Batch.make(["0", "1"], candidates=["a dog"] * 2, images=[first, copy])
    metric = load_registry().build("clip-score", encoder=str(open_shared_clip()))

    scores = run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values

    assert scores[0] == scores[1]

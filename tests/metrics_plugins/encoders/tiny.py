"""A tiny transformer for tests, saved in the format of sentence-transformers."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.metrics.random_clip import write_random_clip
from tests.throw_away import make_throw_away

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "the", "dog", "cat", "runs", "sleeps", "on", "grass", "red", "two")
DIMENSION = 32


def make_folder(folder: Path, *, pooling: str = "mean", normalizes: bool = True, max_tokens: int = 16) -> Path:
    """Write random weights (always the same ones) and everything beside them; returns the folder."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=DIMENSION,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder)
    make_tokenizer().save(str(folder / "tokenizer.json"))
    modules = ["Transformer", "Pooling", *(["Normalize"] if normalizes else [])]
    write_json(
        folder / "modules.json",
        [
            {
                "idx": place,
                "name": str(place),
                "path": "1_Pooling" if place == 1 else "",
                "type": f"sentence_transformers.models.{name}",
            }
            for place, name in enumerate(modules)
        ],
    )
    (folder / "1_Pooling").mkdir()
    write_json(folder / "1_Pooling" / "config.json", {"embedding_dimension": DIMENSION, "pooling_mode": pooling})
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": max_tokens, "do_lower_case": True})
    return folder


def make_tokenizer() -> Any:
    """Return a tokenizer of whole words that puts [CLS] and [SEP] around a text."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    numbers = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", numbers["[SEP]"]), ("[CLS]", numbers["[CLS]"]))
    return tokenizer


@cache
def open_shared_folder() -> Path:
    """Return one such folder for all tests, which must not change it."""
    return make_folder(make_throw_away("tiny"))


def write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content))


@cache
def open_shared_clip() -> Path:
    """Return a folder with a tiny CLIP of random weights for all tests, which must not change it."""
    captions = ["a dog runs on the grass", "two cats sleep", "A photo depicts a red ball"]
    return write_random_clip(make_throw_away("clip"), captions=captions, is_tiny=True)


@cache
def draw_shared_images() -> tuple[Path, ...]:
    """Return image files of several shapes and modes for all tests, which must not change them."""
    import numpy as np
    from PIL import Image

    folder = make_throw_away("images")
    rng = np.random.default_rng(0)
    paths = []
    for number, (height, width) in enumerate([(32, 32), (40, 90), (300, 64), (33, 47)]):
        # Smooth shapes: of pure noise resizing leaves the same grey for all.
        rough = Image.fromarray(rng.integers(0, 256, size=(4, 4, 3), dtype=np.uint8))
        image = rough.resize((width, height), Image.Resampling.BICUBIC)
        path = folder / f"{number}.png"
        image.convert("L" if number == 3 else "RGB").save(path)
        paths.append(path)
    return tuple(paths)

"""A CLIP model with random weights in the format of transformers, for tests and timings without real weights."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

START: Final = "<|startoftext|>"
END: Final = "<|endoftext|>"
_MEAN: Final = (0.48145466, 0.4578275, 0.40821073)
_DEVIATION: Final = (0.26862954, 0.26130258, 0.27577711)

# A tiny model for tests; the full size is that of ViT-B/32.
_TINY: Final[dict[str, dict[str, Any]]] = {
    "text_config": {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4},
    "vision_config": {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "image_size": 32,
        "patch_size": 8,
    },
}


def write_random_clip(folder: Path, *, captions: Iterable[str], is_tiny: bool) -> Path:
    """Write a model with random weights from a fixed seed, and a tokenizer trained on captions."""
    import torch
    from transformers import CLIPConfig, CLIPModel

    tokenizer = _learn_tokenizer(captions)
    size: dict[str, dict[str, Any]] = _TINY if is_tiny else {"text_config": {}, "vision_config": {}}
    numbers = {
        "vocab_size": tokenizer.get_vocab_size(),
        "bos_token_id": tokenizer.token_to_id(START),
        "eos_token_id": tokenizer.token_to_id(END),
        "pad_token_id": tokenizer.token_to_id(END),
    }
    torch.manual_seed(0)
    config = CLIPConfig(
        text_config={**size["text_config"], **numbers},
        vision_config=size["vision_config"],
        projection_dim=24 if is_tiny else 512,
        # With random weights of the usual scale, all vectors would be almost equal.
        initializer_factor=10.0 if is_tiny else 1.0,
    )
    CLIPModel(config).save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    side = config.vision_config.image_size
    settings = {
        "image_processor_type": "CLIPImageProcessor",
        "size": {"shortest_edge": side},
        "crop_size": {"height": side, "width": side},
        "image_mean": _MEAN,
        "image_std": _DEVIATION,
        "resample": 3,
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(settings))
    return folder


def _learn_tokenizer(captions: Iterable[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=4000,
        special_tokens=[START, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(captions, trainer)
    ends = [(mark, tokenizer.token_to_id(mark)) for mark in (START, END)]
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{START} $A {END}", special_tokens=ends)
    return tokenizer

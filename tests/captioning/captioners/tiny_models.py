"""Tiny image-to-text models of transformers with random weights, written to a folder."""

from pathlib import Path

WORDS = ("a", "cat", "dog", "sits", "on", "the", "mat", "red")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def write_tiny_model(folder: Path, *, kind: str = "vision-encoder-decoder", seed: int = 0) -> Path:
    """Write a model, its tokenizer and its image processor; the tokenizer splits at white space."""
    import torch
    from transformers import BertTokenizer, BlipImageProcessor, ViTImageProcessor

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join([*SPECIAL, *WORDS]) + "\n")
    tokenizer = BertTokenizer(str(vocabulary))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = _MAKERS[kind](len(SPECIAL) + len(WORDS))
    _forbid_special_tokens(model)
    model.save_pretrained(folder, safe_serialization=True)
    tokenizer.save_pretrained(folder)
    processors = {"blip": BlipImageProcessor, "vision-encoder-decoder": ViTImageProcessor}
    processors[kind](size={"height": 32, "width": 32}).save_pretrained(folder)
    return folder


def _forbid_special_tokens(model) -> None:
    """Make all special tokens but the end very improbable, as training would."""
    import torch

    text = model.decoder if hasattr(model, "decoder") else model.text_decoder
    with torch.no_grad():
        text.cls.predictions.bias[[0, 1, 2, 4]] = -50.0


def _make_encoder_decoder(n_words: int):
    from transformers import BertConfig, BertLMHeadModel, VisionEncoderDecoderModel, ViTConfig, ViTModel

    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    encoder = ViTModel(ViTConfig(**sizes, image_size=32, patch_size=16), add_pooling_layer=False)
    decoder = BertLMHeadModel(
        BertConfig(**sizes, vocab_size=n_words, is_decoder=True, add_cross_attention=True, initializer_range=0.5)
    )
    model = VisionEncoderDecoderModel(encoder=encoder, decoder=decoder)
    for config in (model.config, model.generation_config):
        config.decoder_start_token_id, config.pad_token_id, config.eos_token_id = 2, 0, 3
    return model


def _make_blip(n_words: int):
    from transformers import BlipConfig, BlipForConditionalGeneration

    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    text = {**sizes, "vocab_size": n_words, "encoder_hidden_size": 16, "bos_token_id": 2, "eos_token_id": 3}
    config = BlipConfig(
        text_config={**text, "sep_token_id": 3, "pad_token_id": 0, "initializer_range": 0.5, "projection_dim": 16},
        vision_config={**sizes, "image_size": 32, "patch_size": 16},
        projection_dim=16,
    )
    return BlipForConditionalGeneration(config)


_MAKERS = {"vision-encoder-decoder": _make_encoder_decoder, "blip": _make_blip}

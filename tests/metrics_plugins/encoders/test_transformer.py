"""Tests against the vectors of sentence-transformers, and that other inputs never change a vector."""

import gzip
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.api.providers import Encoder, TokenEncoder
from metrics_plugins.encoders.caching.memory import open_memory
from metrics_plugins.encoders.transformer import TransformerEncoder
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.encoders.tiny import DIMENSION, make_folder

TEXTS = ["a dog runs", "the red cat sleeps on the grass", "", "Two  dogs", "a " * 40, "a dog runs", "lone \ud800 x"]


def _open(folder: Path, **options: object) -> TransformerEncoder:
    return TransformerEncoder.open(folder, name="tiny", **options)


def _read_captions(data_folder: Path, n_captions: int) -> list[str]:
    with gzip.open(data_folder / "flickr8k" / "Flickr8k.token.txt.gz", "rt") as file:
        return [line.split("\t")[1].strip() for _, line in zip(range(n_captions), file, strict=False)]


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("normalizes", [True, False])
def test_same_sentences_as_sentence_transformers(pooling: str, normalizes: bool, tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from transformers import PreTrainedTokenizerFast

    folder = make_folder(tmp_path / "model", pooling=pooling, normalizes=normalizes)
    encoder = _open(folder)
    marks = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), **marks).save_pretrained(folder)
    texts = TEXTS[:-1]

    expected = SentenceTransformer(str(folder), device="cpu").encode([text.lower() for text in texts])

    np.testing.assert_allclose(encoder.encode(texts), expected, atol=2e-6)


def test_a_text_has_the_same_bits_in_every_company(tiny_folder: Path) -> None:
    encoder = _open(tiny_folder)
    texts = [" ".join(["dog", "cat", "red", "runs"][: 1 + row % 4] * (1 + row % 3)) + f" {row}" for row in range(99)]
    together = encoder.encode(texts)
    tokens = encoder.encode_tokens(texts)
    open_memory.cache_clear()

    for row, text in enumerate(texts):
        alone = encoder.encode_tokens([text])
        np.testing.assert_array_equal(encoder.encode([text])[0], together[row])
        np.testing.assert_array_equal(alone.vectors, tokens.vectors[tokens.offsets[row] : tokens.offsets[row + 1]])


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("normalizes", [True, False])
def test_sentences_that_came_with_tokens_have_the_bits_of_their_own_pass(
    pooling: str, normalizes: bool, tmp_path: Path
) -> None:
    encoder = _open(make_folder(tmp_path / "model", pooling=pooling, normalizes=normalizes))
    texts = [*TEXTS, *(f"dog {'red ' * (row % 7)}{row}" for row in range(60))]
    sentences = encoder.encode(texts)
    open_memory.cache_clear()
    tokens = encoder.encode_tokens(texts)

    # Both are remembered now: what is found is what came with the tokens.
    remembered = [open_memory().get((encoder.digest, text)) for text in dict.fromkeys(texts)]
    np.testing.assert_array_equal(remembered, sentences[[texts.index(text) for text in dict.fromkeys(texts)]])
    np.testing.assert_array_equal(encoder.encode(texts), sentences)
    open_memory.cache_clear()
    encoder.encode(texts)
    np.testing.assert_array_equal(encoder.encode_tokens(texts).vectors, tokens.vectors)


@pytest.mark.slow
def test_vectors_do_not_depend_on_other_captions(data_folder: Path) -> None:
    encoder = load_registry().get_encoder("minilm")
    captions = _read_captions(data_folder, 700)
    together = encoder.encode(captions)
    open_memory.cache_clear()

    alone = np.concatenate([encoder.encode([caption]) for caption in captions[::20]])
    open_memory.cache_clear()
    few = np.concatenate([encoder.encode(captions[start : start + 7]) for start in range(0, 140, 7)])

    np.testing.assert_array_equal(alone, together[::20])
    np.testing.assert_array_equal(few, together[:140])


@pytest.mark.slow
def test_minilm_is_that_of_sentence_transformers(data_folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    encoder = load_registry().get_encoder("minilm")
    assert isinstance(encoder, TransformerEncoder)
    captions = [*_read_captions(data_folder, 300), "", "dog " * 400]

    expected = SentenceTransformer(str(encoder.folder.transformer), device="cpu").encode(captions)

    np.testing.assert_allclose(encoder.encode(captions), expected, atol=1e-6)
    assert (encoder.name, encoder.dimension, encoder.device) == ("minilm", 384, "cpu")


def test_tokens_stand_in_their_order(tiny_folder: Path) -> None:
    tokens = _open(tiny_folder).encode_tokens(["a dog", "", "a dog"])

    # Positions in tiny.WORDS: [CLS] 2, [SEP] 3, a 4, dog 6.
    assert tokens.ids.tolist() == [2, 4, 6, 3, 2, 3, 2, 4, 6, 3]
    assert tokens.offsets.tolist() == [0, 4, 6, 10]
    assert np.flatnonzero(~tokens.is_special).tolist() == [1, 2, 7, 8]
    np.testing.assert_array_equal(tokens.vectors[:4], tokens.vectors[6:])


def test_mean_of_tokens_is_the_sentence(tmp_path: Path) -> None:
    encoder = _open(make_folder(tmp_path / "model", normalizes=False))

    tokens = encoder.encode_tokens(["the red cat"])

    np.testing.assert_allclose(tokens.vectors.mean(axis=0), encoder.encode(["the red cat"])[0], atol=1e-6)


def test_nothing_to_encode(tiny_folder: Path) -> None:
    encoder = _open(tiny_folder)

    assert encoder.encode([]).shape == (0, DIMENSION)
    assert encoder.encode_tokens([]).vectors.shape == (0, DIMENSION)


def test_it_is_an_encoder_that_travels(tiny_folder: Path) -> None:
    encoder = _open(tiny_folder)
    vectors = encoder.encode(TEXTS)
    copy = pickle.loads(pickle.dumps(encoder))  # noqa: S301  what we wrote

    assert isinstance(encoder, Encoder)
    assert isinstance(encoder, TokenEncoder)
    assert copy == encoder
    assert len(pickle.dumps(encoder)) < 2000
    np.testing.assert_array_equal(copy.encode(TEXTS), vectors)


def test_bfloat16_is_another_encoder_with_nearly_the_same_vectors(tiny_folder: Path) -> None:
    whole, half = _open(tiny_folder), _open(tiny_folder, precision="bfloat16")

    vectors = half.encode(TEXTS)

    assert half.digest != whole.digest
    assert vectors.dtype == np.float32
    assert not np.array_equal(vectors, whole.encode(TEXTS))
    np.testing.assert_allclose(vectors, whole.encode(TEXTS), atol=0.03)


def test_budget_changes_at_most_the_last_bits(tiny_folder: Path) -> None:
    vectors = _open(tiny_folder).encode(TEXTS)
    open_memory.cache_clear()

    np.testing.assert_allclose(_open(tiny_folder, budget=1).encode(TEXTS), vectors, atol=1e-6)


def test_weights_that_lack_something(tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = make_folder(tmp_path / "model")
    weights = load_file(folder / "model.safetensors")
    del weights["encoder.layer.1.output.dense.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    with pytest.raises(MetricError) as caught:
        _open(folder).encode(["a dog"])

    assert str(caught.value) == (
        f"{folder}/model.safetensors: does not fit config.json beside it: 1 weights are missing or of another shape, "
        "such as encoder.layer.1.output.dense.weight"
    )


def test_weights_that_are_not_numbers(tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = make_folder(tmp_path / "model")
    weights = load_file(folder / "model.safetensors")
    weights["embeddings.LayerNorm.weight"][3] = np.nan
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    with pytest.raises(
        MetricError, match=r"^encoder 'tiny' gives numbers that are not finite: its weights are damaged"
    ):
        _open(folder).encode(["a dog"])


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("model.safetensors", b"x" * 100, "model.safetensors: is damaged or no safetensors file: "),
        ("tokenizer.json", b"{}", "tokenizer.json: is damaged or of another version: "),
        (
            "config.json",
            b'{"hidden_size": 32, "model_type": "of-tomorrow"}',
            "cannot be loaded by this version of transformers: ",
        ),
    ],
)
def test_damaged_files(tmp_path: Path, name: str, change: bytes, message: str) -> None:
    folder = make_folder(tmp_path / "model")
    (folder / name).write_bytes(change)

    with pytest.raises(MetricError) as caught:
        _open(folder).encode(["a dog"])

    assert str(caught.value).startswith(f"{folder}")
    assert message in str(caught.value)


def test_a_device_that_is_not_there(tiny_folder: Path) -> None:
    with pytest.raises(MetricError, match=r"^torch cannot compute on the device 'warp' here: "):
        _open(tiny_folder, device="warp")


@pytest.mark.slow
def test_short_memory_halves_the_budget(tiny_folder: Path) -> None:
    program = (
        "import resource, sys, numpy as np; from pathlib import Path; import torch; torch.set_num_threads(1)\n"
        "from metrics_plugins.encoders.caching.memory import open_memory\n"
        "from metrics_plugins.encoders.transformer import TransformerEncoder\n"
        "encoder = TransformerEncoder.open(Path(sys.argv[1]), name='tiny', budget=10**6)\n"
        "texts = [f'a dog runs on the grass {number}' for number in range(2000)]\n"
        "few = encoder.encode(texts[:1])\n"
        "pages = int(Path('/proc/self/statm').read_text().split()[0])\n"
        "limit = pages * resource.getpagesize() + 700 * 2**20\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "print(encoder._load().budget, np.isfinite(encoder.encode(texts)).all(), encoder._load().budget)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, str(tiny_folder)], capture_output=True, text=True, check=False
    )
    before, finite, after = result.stdout.split()

    assert (before, finite) == ("1000000", "True")
    assert 1000 < int(after) < 1_000_000

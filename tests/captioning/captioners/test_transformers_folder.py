"""Tests of image-to-text models of transformers, with tiny ones of random weights: against the model's own forward."""

import itertools
import json

import numpy as np
import pytest
import torch
from PIL import Image

from captioning.api import CaptionerError, Decoding, Images, MissingResource
from captioning.captioners.transformers_folder import TransformersCaptioner
from captioning.runtime import CaptionerContext, run_captioner, run_scores
from captioning.runtime.checks import check_captioner
from tests.captioning.captioners.tiny_models import SPECIAL, WORDS, write_tiny_model

torch.set_num_threads(1)

KINDS = ("vision-encoder-decoder", "blip")
END = 3


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    return {kind: write_tiny_model(root / kind, kind=kind) for kind in KINDS}


@pytest.fixture(scope="module")
def images(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("images"), np.random.default_rng(0)
    files = [folder / f"{name}.png" for name in "abc"]
    for file in files:
        Image.fromarray(rng.integers(0, 255, (40, 50, 3), dtype=np.uint8)).save(file)
    return Images(keys=("a", "b", "c"), files=tuple(files))


def _build(folder):
    return TransformersCaptioner.build(CaptionerContext(), folder=folder)


def _decode(captioner, images, decoding, *, n=1, seed=1):
    rng = np.random.default_rng(seed)
    return run_captioner(captioner, images, n=n, decoding=Decoding.parse(decoding), rng=rng, allow_empty=True)


def _score_directly(captioner, images, captions, *, most: int = 99):
    """Return log-probabilities by one forward pass, which `score` does not use; the longest captions have no end."""
    model = captioner._load().model
    numbers = {word: number for number, word in enumerate([*SPECIAL, *WORDS])}
    found = []
    for row, caption in enumerate(captions):
        pixels = captioner._read(images.select([row]))
        words = [numbers[word] for word in caption.split()]
        ids = torch.tensor([[2, *words, *([END] if len(words) < most else [])]])
        with torch.no_grad():
            given = {"decoder_input_ids": ids[:, :-1]} if hasattr(model, "decoder") else {"input_ids": ids[:, :-1]}
            logits = model(pixel_values=pixels, **given).logits.log_softmax(dim=2)
        found.append(float(logits[0].gather(1, ids[0, 1:, None]).double().sum()))
    return found


def test_contract_is_kept(folders, images) -> None:
    results = check_captioner(_Nonempty(_build(folders["blip"])), images.select([0, 1]))
    assert [str(each) for each in results if not each.passed] == []


class _Nonempty(TransformersCaptioner):
    """The same captioner, whose empty captions, which a random model writes, become a word."""

    def __init__(self, captioner) -> None:
        vars(self).update(vars(captioner))

    def caption(self, images, **given):
        batch = super().caption(images, **given)
        keep = [[text or "nothing" for text in row] for row in batch.captions]
        return type(batch)(batch.keys, tuple(map(tuple, keep)), batch.log_probabilities)

    def score(self, images, captions):
        return super().score(images, ["" if text == "nothing" else text for text in captions])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "decoding", ["greedy", "beam,beam_size=3", "sample,temperature=0.7", "sample,top_k=3,top_p=0.9"]
)
def test_log_probabilities_are_those_of_a_forward_pass(folders, images, kind: str, decoding: str) -> None:
    captioner = _build(folders[kind])
    n = 1 if decoding == "greedy" else 3
    batch = _decode(captioner, images, decoding, n=n)

    rows = np.repeat(np.arange(len(images)), n)
    texts = [text for row in batch.captions for text in row]
    direct = np.array(_score_directly(captioner, images.select(rows), texts))
    complete = np.array([len(text.split()) < 16 for text in texts])
    assert complete.any()
    np.testing.assert_allclose(batch.log_probabilities.reshape(-1)[complete], direct[complete], atol=1e-4)
    scores = run_scores(captioner, images.select(rows), texts)
    np.testing.assert_allclose(scores.log_probabilities, direct, atol=1e-4)
    assert scores.n_steps.tolist() == [len(text.split()) + 1 for text in texts]


@pytest.mark.parametrize("kind", KINDS)
def test_wide_beam_finds_the_most_probable_caption(folders, images, kind: str) -> None:
    captioner = _build(folders[kind])
    one = images.select([0])
    best = _decode(captioner, one, "beam,beam_size=80,max_words=2")

    texts = [" ".join(words) for size in range(3) for words in itertools.product(WORDS, repeat=size)]
    values = _score_directly(captioner, one.select([0] * len(texts)), texts, most=2)
    assert best.captions[0][0] == texts[int(np.argmax(values))]
    assert best.log_probabilities[0, 0] == pytest.approx(max(values), abs=1e-4)


def test_samples_follow_the_seed(folders, images) -> None:
    captioner = _build(folders["blip"])
    first, again, other = (_decode(captioner, images, "sample", n=5, seed=seed).captions for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("decoding", "n", "message"),
    [
        ("greedy", 2, "greedy decoding gives one caption of an image, asked for 2"),
        ("beam", 6, "beam search gives at most 5 captions of an image, asked for 6"),
        ("diverse-beam", 1, "'transformers' has no diverse-beam"),
    ],
)
def test_numbers_that_do_not_fit_the_decoding_are_refused(folders, images, decoding, n, message) -> None:
    with pytest.raises(CaptionerError, match=message):
        _decode(_build(folders["blip"]), images, decoding, n=n)


def test_folders_that_cannot_be_used_are_refused_with_the_reason(folders, tmp_path) -> None:
    with pytest.raises(CaptionerError, match="'transformers' needs the folder of a model"):
        _build(None)
    with pytest.raises(MissingResource, match="is not there"):
        _build(tmp_path / "absent")
    with pytest.raises(MissingResource, match=r"needs config\.json"):
        _build(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "blip"}))
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(MissingResource, match=r"as \*\.safetensors in .*; pickled weights are not read"):
        _build(tmp_path)
    (tmp_path / "model.safetensors").write_bytes((folders["blip"] / "model.safetensors").read_bytes()[:-8])
    with pytest.raises(MissingResource, match="is damaged or no safetensors file"):
        _build(tmp_path)


def test_code_in_the_folder_is_not_run(folders, images, tmp_path) -> None:
    import shutil

    folder = tmp_path / "model"
    shutil.copytree(folders["blip"], folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {
        "model_type": "homemade",
        "auto_map": {"AutoConfig": "evil.Config", "AutoModelForImageTextToText": "evil.Model"},
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Config: pass\nclass Model: pass\n")

    with pytest.raises(CaptionerError, match="transformers cannot open this homemade model"):
        _decode(_build(folder), images, "greedy")
    assert not (tmp_path / "ran").exists()


def test_unreadable_image_is_named(folders, tmp_path) -> None:
    (tmp_path / "x.png").write_text("no image")
    images = Images(keys=("x",), files=(tmp_path / "x.png",))
    with pytest.raises(CaptionerError, match=r"image 'x': .*x\.png cannot be read as an image"):
        _decode(_build(folders["blip"]), images, "greedy")

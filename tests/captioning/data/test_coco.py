"""Tests of COCO's captions as captioned images: which captions are held out, and vectors that are computed once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from captioning.data.coco import CocoCaptions, load_coco, read_coco_captions
from metrics_plugins.text.ptb.tokenizer import tokenize_captions

NAMES = ("dog", "cat", "kite", "bus", "pizza", "chair", "train", "clock", "horse")


@dataclass(frozen=True)
class LengthEncoder:
    """Gives the numbers of characters and of words of a text."""

    encoded: list[str] = field(default_factory=list)
    name: str = "length"
    digest: str = "length1"
    dimension: int = 2

    def encode(self, inputs: Sequence[object]) -> npt.NDArray[np.float32]:
        texts = [str(text) for text in inputs]
        self.encoded.extend(texts)
        return np.array([[len(text), len(text.split())] for text in texts], dtype=np.float32)


def _make_corpus() -> dict[str, tuple[str, ...]]:
    corpus = {
        f"image{number:03}": tuple(
            f"A {NAMES[number % 9]} and {word}, {number}." for word in "abcdefg"[: 5 + number % 3]
        )
        for number in range(160)
    }
    return corpus | {"too few": ("A dog.", "A cat.", "...", "A bus.", "Two", "...")}


def _load(
    folder: Path, *, n_train: int = 12, n_test: int = 6, seed: int = 0, encoder: LengthEncoder | None = None
) -> CocoCaptions:
    return load_coco(
        folder=folder,
        n_train=n_train,
        n_validation=5,
        n_test=n_test,
        seed=seed,
        encoder=encoder or LengthEncoder(),
        captions=_make_corpus(),
    )


def test_one_caption_is_held_out_and_four_others_are_kept(tmp_path: Path) -> None:
    data = _load(tmp_path)

    corpus = _make_corpus()
    keys = [key for part in (data.train, data.validation, data.test) for key in part.images.keys]
    assert len(set(keys)) == len(keys) == 12 + 5 + 6
    for part in (data.train, data.validation, data.test):
        assert part.note == "text-conditioned"
        assert part.images.features is not None
        for key, lines, vector in zip(part.images.keys, part.captions, part.images.features.values, strict=True):
            held_out = data.held_out[key]
            own = tokenize_captions(corpus[key])
            assert len(lines) == 4
            assert held_out not in lines
            assert {held_out, *lines} <= set(own)
            expected = np.array([[len(held_out), len(held_out.split())]])
            np.testing.assert_allclose(vector / vector[0, 0], expected / expected[0, 0], rtol=1e-6)
            assert np.mean(vector**2) == pytest.approx(1)


def test_objects_are_those_that_the_held_out_caption_names(tmp_path: Path) -> None:
    data = _load(tmp_path)

    assert data.test.images.objects == tuple(
        tuple(word for word in data.held_out[key].split() if word in NAMES) for key in data.test.images.keys
    )


def test_larger_parts_contain_smaller_ones_and_parts_never_overlap(tmp_path: Path) -> None:
    small, large = _load(tmp_path, n_train=4, n_test=3), _load(tmp_path, n_train=100, n_test=8)

    assert large.train.select(range(4)).digest == small.train.digest
    assert large.test.select(range(3)).digest == small.test.digest
    assert large.validation.digest == small.validation.digest
    # A captioner trained with one call may be tested with another.
    assert not {*large.train.images.keys} & {*small.test.images.keys, *large.test.images.keys}
    assert not {*large.train.images.keys} & {*large.validation.images.keys}
    assert _load(tmp_path, seed=1).test.digest != _load(tmp_path).test.digest


def test_vectors_are_computed_once(tmp_path: Path) -> None:
    first, second = LengthEncoder(), LengthEncoder()

    one = _load(tmp_path, encoder=first)
    other = _load(tmp_path, encoder=second)

    assert len(first.encoded) == 12 + 5 + 6
    assert second.encoded == []
    assert one.train.digest == other.train.digest


def test_an_interrupted_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("interrupted")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        with pytest.raises(OSError, match="interrupted"):
            _load(tmp_path)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("n_train", "message"),
    [(0, "`n_train` must be at least 1"), (150, "`n_train` must be at most 144, the images of this part")],
)
def test_impossible_numbers_are_refused(tmp_path: Path, n_train: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _load(tmp_path, n_train=n_train)


@pytest.mark.slow
def test_coco_has_its_published_numbers_of_images_and_captions() -> None:
    captions = read_coco_captions()

    assert len(captions) == 82_783 + 40_504
    assert sum(map(len, captions.values())) == 414_113 + 202_654

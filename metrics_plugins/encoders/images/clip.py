"""CLIP: texts and images in a common space, from a folder in the format of transformers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.caching.remembering import encode_remembered
from metrics_plugins.encoders.devices import choose_budget, choose_device
from metrics_plugins.encoders.images.picture_encoding import encode_pictures
from metrics_plugins.encoders.images.pictures import PictureSettings
from metrics_plugins.encoders.loaded import LoadedText, load_model, load_tokenizer
from metrics_plugins.encoders.tiles import Tile
from metrics_plugins.encoders.weights import WEIGHTS, Precision, digest_files, read_json, require_files, require_torch

if TYPE_CHECKING:
    from torch import Tensor

Floats = npt.NDArray[np.float32]

_PICTURES = "preprocessor_config.json"
FILES = ("config.json", _PICTURES, "tokenizer.json", WEIGHTS)


def is_clip_folder(folder: Path) -> bool:
    """Return whether the configuration in a folder describes a CLIP model."""
    path = folder / "config.json"
    return path.is_file() and read_json(path).get("model_type") == "clip"


@dataclass(frozen=True, slots=True)
class ClipEncoder:
    """Vectors of texts (`str`) and of image files (`Path`) in a common space, without normalisation.

    Attributes:
        name: The name printed in signatures.
        digest: Identifies the files and the precision.
        dimension: The length of a vector.
        folder: The folder of the model.
        max_tokens: Longer texts are truncated to this number of tokens.
        pictures: The preprocessing of images.
        device: The device to compute on.
        precision: The number format of the computation.
        budget: The approximate number of tokens processed together.
    """

    name: str
    digest: str
    dimension: int
    folder: Path
    max_tokens: int
    pictures: PictureSettings
    device: str
    precision: Precision
    budget: int

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        name: str,
        device: str = "cpu",
        precision: Precision = "float32",
        budget: int | None = None,
    ) -> Self:
        """Return the encoder in a folder.

        Raises:
            MissingResource: A file or a package is missing.
            MetricError: A file is damaged or requires an unsupported feature, or the device does not exist.
        """
        require_torch(name)
        require_files(folder, FILES, wanted_for=f"the encoder {folder}")
        path = folder / "config.json"
        config = read_json(path)
        dimension = config.get("projection_dim")
        if not isinstance(dimension, int):
            raise MetricError(f"{path}: 'projection_dim' must be a whole number, got {dimension!r}")
        chosen = choose_device(device)
        return cls(
            name=name,
            digest=digest_files([folder / file for file in FILES], settings={"precision": precision}),
            dimension=dimension,
            folder=folder,
            max_tokens=int(config.get("text_config", {}).get("max_position_embeddings", 77)),
            pictures=PictureSettings.read(folder / _PICTURES),
            device=chosen,
            precision=precision,
            budget=choose_budget(chosen) if budget is None else budget,
        )

    def encode(self, inputs: Sequence[object]) -> Floats:
        """Return `(n_inputs, dimension)`: of the text for a `str`, of the image in the file for a `Path`.

        Raises:
            MetricError: A file is not an image, the weights are damaged, or memory does not suffice for one input.
        """
        is_picture = np.array([isinstance(value, Path) for value in inputs], dtype=np.bool_)
        vectors = np.empty((len(inputs), self.dimension), dtype=np.float32)
        vectors[is_picture] = self._encode_pictures([value for value in inputs if isinstance(value, Path)])
        vectors[~is_picture] = self._encode_texts([str(value) for value in inputs if not isinstance(value, Path)])
        return vectors

    def _encode_texts(self, texts: Sequence[str]) -> Floats:
        digest = f"{self.digest}-texts"
        return encode_remembered(texts, digest=digest, dimension=self.dimension, compute=self._compute_texts)

    def _compute_texts(self, texts: Sequence[str]) -> Floats:
        loaded = self._load()
        vectors = np.full((len(texts), self.dimension), np.nan, dtype=np.float32)

        def store(tile: Tile, found: "Tensor") -> None:
            vectors[tile.rows[: tile.n_kept]] = found[: tile.n_kept].cpu().numpy()

        loaded.run(loaded.tokenize(texts), store=store, name=self.name)
        return vectors

    def _encode_pictures(self, paths: Sequence[Path]) -> Floats:
        return encode_pictures(
            paths,
            name=self.name,
            digest=f"{self.digest}-images",
            dimension=self.dimension,
            settings=self.pictures,
            device=self.device,
            open_forward=self._open_pictures,
        )

    def _open_pictures(self) -> "Callable[[Tensor], Tensor]":
        model = self._load().model

        def forward(pixels: "Tensor") -> "Tensor":
            return _get_vectors(model.get_image_features(pixel_values=pixels.to(model.dtype)))

        return forward

    def _load(self) -> LoadedText:
        return _load_clip(
            self.folder,
            self.digest,
            max_tokens=self.max_tokens,
            device=self.device,
            precision=self.precision,
            budget=self.budget,
        )


@lru_cache(maxsize=2)
def _load_clip(
    folder: Path,
    digest: str,  # noqa: ARG001  changed files are loaded again
    *,
    max_tokens: int,
    device: str,
    precision: Precision,
    budget: int,
) -> LoadedText:
    model = load_model(folder, "CLIPModel", device=device, precision=precision)
    return LoadedText(
        model,
        tokenizer=load_tokenizer(folder / "tokenizer.json", max_tokens=max_tokens),
        forward=lambda ids: _get_vectors(model.get_text_features(input_ids=ids)),
        device=device,
        budget=budget,
    )


def _get_vectors(output: Any) -> "Tensor":
    # Before version 5, transformers returned the vectors directly.
    vectors: Tensor = getattr(output, "pooler_output", output)
    return vectors

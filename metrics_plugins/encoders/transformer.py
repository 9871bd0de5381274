"""Transformers in the format of the library transformers, as encoders of sentences and tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.providers import TokenVectors
from metrics_plugins.encoders.caching.memory import open_memory
from metrics_plugins.encoders.caching.remembering import encode_remembered, remember
from metrics_plugins.encoders.devices import choose_budget, choose_device
from metrics_plugins.encoders.loaded import LoadedText, load_transformer
from metrics_plugins.encoders.sentence_folders import SentenceFolder, read_sentence_folder
from metrics_plugins.encoders.tiles import Tile
from metrics_plugins.encoders.weights import Precision, digest_files, require_torch

if TYPE_CHECKING:
    from torch import Tensor

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TextTokens:
    """The tokens of a text with their vectors.

    Attributes:
        vectors: `(n_tokens, dimension)`.
        ids: `(n_tokens,)`.
        is_special: `(n_tokens,)`.
    """

    vectors: Floats
    ids: npt.NDArray[np.int64]
    is_special: npt.NDArray[np.bool_]

    @property
    def nbytes(self) -> int:
        return int(self.vectors.nbytes + self.ids.nbytes + self.is_special.nbytes)


@dataclass(frozen=True, slots=True)
class TransformerEncoder:
    """Sentence and token vectors of texts; the weights are loaded once per process, with the first text.

    Attributes:
        name: The name printed in signatures.
        digest: Identifies the files, the pooling and the precision.
        folder: The folder of the model.
        device: The device to compute on: `cpu`, `cuda`, `cuda:1`.
        precision: The number format of the computation; vectors are always float32.
        budget: The approximate number of tokens processed together; halved when memory runs out.
    """

    name: str
    digest: str
    folder: SentenceFolder
    device: str
    precision: Precision
    budget: int

    @classmethod
    def open(
        cls, path: Path, *, name: str, device: str = "cpu", precision: Precision = "float32", budget: int | None = None
    ) -> Self:
        """Return the encoder in a folder; heavy libraries are imported only if the device is not the CPU.

        Raises:
            MissingResource: A file or a package is missing.
            MetricError: A file is damaged or requires an unsupported feature, or the device does not exist.
        """
        require_torch(name)
        folder = read_sentence_folder(path)
        settings = {
            "pooling": folder.pooling,
            "normalizes": folder.normalizes,
            "max_tokens": folder.max_tokens,
            "lowercases": folder.lowercases,
            "precision": precision,
        }
        chosen = choose_device(device)
        return cls(
            name=name,
            digest=digest_files(folder.files, settings=settings),
            folder=folder,
            device=chosen,
            precision=precision,
            budget=choose_budget(chosen) if budget is None else budget,
        )

    @property
    def dimension(self) -> int:
        return self.folder.dimension

    def encode(self, inputs: Sequence[object]) -> Floats:
        """Return `(n_texts, dimension)`: the sentence vector of each text; NaN for a text without tokens.

        Raises:
            MetricError: The weights are damaged, an output is not finite, or memory does not suffice for a single text.
        """
        texts = [str(text) for text in inputs]
        return encode_remembered(texts, digest=self.digest, dimension=self.dimension, compute=self._compute_sentences)

    def tokenize(self, texts: Sequence[str]) -> Ragged:
        """Return `(n_texts,)`: the token numbers of each text, including special tokens."""
        return Ragged.from_rows([encoding.ids for encoding in self._load().tokenize(texts)])

    def encode_tokens(self, texts: Sequence[str]) -> TokenVectors:
        """Return the tokens of every text with their vectors in the last layer.

        The sentence vectors, which are pooled from these, are cached for `encode`.

        Raises:
            MetricError: As for `encode`.
        """
        memory = open_memory()
        known: dict[str, TextTokens] = {}
        for text in dict.fromkeys(texts):
            tokens = memory.get((self.digest, "tokens", text))
            if isinstance(tokens, TextTokens):
                known[text] = tokens
        absent = [text for text in dict.fromkeys(texts) if text not in known]
        computed, sentences = self._compute_tokens(absent)
        for text, tokens in zip(absent, computed, strict=True):
            known[text] = tokens
            memory.put((self.digest, "tokens", text), tokens)
        remember(absent, sentences, digest=self.digest)
        found = [known[text] for text in texts]
        lengths = np.fromiter((len(tokens.ids) for tokens in found), np.int64, len(found))
        return TokenVectors(
            vectors=np.concatenate([np.empty((0, self.dimension), np.float32), *(tokens.vectors for tokens in found)]),
            offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
            ids=np.concatenate([np.empty(0, np.int64), *(tokens.ids for tokens in found)]),
            is_special=np.concatenate([np.empty(0, np.bool_), *(tokens.is_special for tokens in found)]),
        )

    def _compute_sentences(self, texts: Sequence[str]) -> Floats:
        loaded = self._load()
        vectors = np.full((len(texts), self.dimension), np.nan, dtype=np.float32)

        def store(tile: Tile, states: "Tensor") -> None:
            vectors[tile.rows[: tile.n_kept]] = self._pool(states)[: tile.n_kept].cpu().numpy()

        loaded.run(loaded.tokenize(texts), store=store, name=self.name)
        return vectors

    def _pool(self, states: "Tensor") -> "Tensor":
        """Return `(n_texts, dimension)`: the sentence vectors of a whole tile, whose shape affects the rounding."""
        import torch

        pooled = states[:, 0] if self.folder.pooling == "cls" else states.mean(dim=1)
        return torch.nn.functional.normalize(pooled, dim=1) if self.folder.normalizes else pooled

    def _compute_tokens(self, texts: Sequence[str]) -> tuple[list[TextTokens], Floats]:
        """Return the tokens of texts and their sentence vectors."""
        sentences = np.full((len(texts), self.dimension), np.nan, dtype=np.float32)
        if not texts:
            return [], sentences
        loaded = self._load()
        encodings = loaded.tokenize(texts)
        vectors = [np.empty((len(encoding.ids), self.dimension), np.float32) for encoding in encodings]

        def store(tile: Tile, states: "Tensor") -> None:
            for row, found in zip(tile.rows[: tile.n_kept], states[: tile.n_kept].cpu().numpy(), strict=True):
                vectors[row][:] = found
            sentences[tile.rows[: tile.n_kept]] = self._pool(states)[: tile.n_kept].cpu().numpy()

        loaded.run(encodings, store=store, name=self.name)
        return [
            TextTokens(
                vectors=found,
                ids=np.array(encoding.ids, dtype=np.int64),
                is_special=np.array(encoding.special_tokens_mask, dtype=np.bool_),
            )
            for encoding, found in zip(encodings, vectors, strict=True)
        ], sentences

    def _load(self) -> LoadedText:
        return load_transformer(
            self.folder, self.digest, device=self.device, precision=self.precision, budget=self.budget
        )

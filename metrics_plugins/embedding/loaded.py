"""A transformer in memory: its tokeniser, its layers, and how many tokens it takes on at once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from metrics_plugins.api import MetricError
from metrics_plugins.embedding.sentence_folders import SentenceFolder
from metrics_plugins.embedding.tiles import Tile, run_tiles
from metrics_plugins.embedding.weights import WEIGHTS, Precision, check_safetensors

if TYPE_CHECKING:
    from tokenizers import Encoding
    from torch import Tensor


class LoadedTransformer:
    """Weights on a device, and the tokeniser that goes with them."""

    def __init__(self, folder: SentenceFolder, *, device: str, precision: Precision, budget: int) -> None:
        self.folder = folder
        self.device = device
        self.budget = budget
        self._tokenizer = _load_tokenizer(folder)
        self._model = _load_model(folder, device=device, precision=precision)

    def tokenize(self, texts: Sequence[str]) -> "list[Encoding]":
        """Return the tokens of each text, cut to the model's length."""
        # Lone surrogates are no Unicode text, which the tokeniser wants.
        clean = [text.strip().encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
        if self.folder.lowercases:
            clean = [text.lower() for text in clean]
        encodings: list[Encoding] = self._tokenizer.encode_batch(clean)
        return encodings

    def run(self, encodings: "Sequence[Encoding]", *, store: "Callable[[Tile, Tensor], None]", name: str) -> None:
        """Compute the last layer's vectors of texts, tile after tile; texts without tokens are passed over.

        Args:
            encodings: The tokens of each text.
            store: Called for each tile with `(n_rows, n_tokens, dimension)` float32, of which `tile.n_kept` count.
            name: The encoder, as errors name it.

        Raises:
            MetricError: A number is not finite, or memory does not hold a single text.
        """
        import torch

        lengths = np.fromiter((len(encoding.ids) for encoding in encodings), np.int64, len(encodings))
        filled = np.flatnonzero(lengths)

        def compute(tile: Tile) -> None:
            rows = filled[tile.rows]
            ids = torch.tensor([encodings[row].ids for row in rows], device=self.device)
            states = self._model(input_ids=ids).last_hidden_state.float()
            if not bool(torch.isfinite(states).all()):
                raise MetricError(
                    f"encoder {name!r} gives numbers that are not finite: its weights are damaged, or too large for "
                    f"the precision"
                )
            store(Tile(rows=rows, n_kept=tile.n_kept), states)

        with torch.inference_mode():
            self.budget = run_tiles(
                lengths[filled], budget=self.budget, compute=compute, what=f"encoder {name!r} on {self.device}"
            )


@lru_cache(maxsize=4)
def load_transformer(
    folder: SentenceFolder,
    digest: str,  # noqa: ARG001  changed files are loaded again
    *,
    device: str,
    precision: Precision,
    budget: int,
) -> LoadedTransformer:
    """Return the loaded model, kept for the next call.

    Raises:
        MetricError: The weights or the tokeniser are damaged or of another version.
    """
    return LoadedTransformer(folder, device=device, precision=precision, budget=budget)


def _load_tokenizer(folder: SentenceFolder) -> Any:
    from tokenizers import Tokenizer

    path = folder.transformer / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises bare exceptions
        raise MetricError(f"{path}: is damaged or of another version: {error}") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(folder.max_tokens)
    return tokenizer


def _load_model(folder: SentenceFolder, *, device: str, precision: Precision) -> Any:
    import torch
    from transformers import AutoModel

    weights = folder.transformer / WEIGHTS
    check_safetensors(weights)
    try:
        with _without_progress():
            model, loading = AutoModel.from_pretrained(
                folder.transformer,
                dtype=getattr(torch, precision),
                local_files_only=True,
                use_safetensors=True,
                attn_implementation="sdpa",
                output_loading_info=True,
            )
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise MetricError(
            f"{folder.transformer}: cannot be loaded by this version of transformers: {reason}"
        ) from error
    # What a file lacks would be made up at random. The pooler is not used.
    lacking = sorted(name for name in loading["missing_keys"] if not name.startswith("pooler."))
    lacking += sorted(str(entry) for entry in loading.get("mismatched_keys", ()))
    if lacking:
        raise MetricError(
            f"{weights}: does not fit config.json beside it: {len(lacking)} weights are missing or of another shape, "
            f"such as {lacking[0]}"
        )
    return model.to(device).eval()


@contextmanager
def _without_progress() -> Iterator[None]:
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]

"""Pretrained text models in memory, with their tokenisers and the number of tokens they process at once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from multiprocessing import parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.full_precision import hold_full_precision
from metrics_plugins.encoders.sentence_folders import SentenceFolder
from metrics_plugins.encoders.tiles import Tile, open_threads, run_tiles
from metrics_plugins.encoders.weights import WEIGHTS, Precision, check_safetensors

if TYPE_CHECKING:
    from tokenizers import Encoding
    from torch import Tensor

_NOT_USED: Final = ("pooler.",)


class LoadedText:
    """A tokeniser and a model on a device.

    Attributes:
        model: The torch module.
        budget: The approximate number of tokens processed together; halved when memory runs out.
    """

    def __init__(
        self,
        model: Any,
        *,
        tokenizer: Any,
        forward: "Callable[[Tensor], Tensor]",
        device: str,
        budget: int,
        lowercases: bool = False,
    ) -> None:
        """Store a loaded model.

        Args:
            model: As above.
            tokenizer: Truncates texts to the maximum length of the model, and does not pad.
            forward: A function from token numbers `(n_rows, n_tokens)` to `(n_rows, ...)`.
            device: The device of the model.
            budget: As above.
            lowercases: Whether texts are lower-cased first.
        """
        self.model = model
        self.budget = budget
        self._tokenizer = tokenizer
        self._forward = forward
        self._device = device
        self._lowercases = lowercases

    def tokenize(self, texts: Sequence[str]) -> "list[Encoding]":
        """Return the tokens of each text, truncated to the maximum length of the model."""
        # The tokeniser requires valid Unicode, without lone surrogates.
        clean = [text.strip().encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
        if self._lowercases:
            clean = [text.lower() for text in clean]
        encodings: list[Encoding] = self._tokenizer.encode_batch(clean)
        return encodings

    def run(self, encodings: "Sequence[Encoding]", *, store: "Callable[[Tile, Tensor], None]", name: str) -> None:
        """Compute texts in tiles; those without tokens are skipped.

        Args:
            encodings: The tokens of each text.
            store: Called for each tile with the model's output for its rows, of which the first `tile.n_kept` count. It
                may be called by several threads at once, for different rows.
            name: The name of the encoder in errors.

        Raises:
            MetricError: A number is not finite, or memory does not suffice for a single text.
        """
        import torch

        lengths = np.fromiter((len(encoding.ids) for encoding in encodings), np.int64, len(encodings))
        filled = np.flatnonzero(lengths)

        @torch.inference_mode()
        def compute(tile: Tile) -> None:
            rows = filled[tile.rows]
            ids = torch.tensor([encodings[row].ids for row in rows], device=self._device)
            states = self._forward(ids).float()
            require_finite(states, name=name)
            store(Tile(rows=rows, n_kept=tile.n_kept), states)

        what = f"encoder {name!r} on {self._device}"
        threads = open_threads() if self._device == "cpu" else nullcontext()
        with hold_full_precision(self._device), threads as executor:
            self.budget = run_tiles(lengths[filled], budget=self.budget, compute=compute, what=what, executor=executor)


@lru_cache(maxsize=4)
def load_transformer(
    folder: SentenceFolder,
    digest: str,  # noqa: ARG001  changed files are loaded again
    *,
    device: str,
    precision: Precision,
    budget: int,
) -> LoadedText:
    """Return the model in a folder, whose output are the vectors of its last layer; it is cached for the next call.

    Raises:
        MetricError: The weights or the tokeniser are damaged or of another version.
    """
    model = load_model(folder.transformer, "AutoModel", device=device, precision=precision)
    return LoadedText(
        model,
        tokenizer=load_tokenizer(folder.transformer / "tokenizer.json", max_tokens=folder.max_tokens),
        forward=lambda ids: model(input_ids=ids).last_hidden_state,
        device=device,
        budget=budget,
        lowercases=folder.lowercases,
    )


def load_tokenizer(path: Path, *, max_tokens: int) -> Any:
    """Return a tokeniser that truncates texts to this number of tokens and does not pad.

    Raises:
        MetricError: The file is damaged or of another version.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises bare exceptions
        raise MetricError(f"{path}: is damaged or of another version: {error}") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def load_model(folder: Path, kind: str, *, device: str, precision: Precision) -> Any:
    """Return a model of transformers for inference.

    Args:
        folder: The folder with `config.json` and `model.safetensors`.
        kind: The class of transformers that loads it.
        device: The device to compute on.
        precision: The number format of the weights.

    Raises:
        MetricError: A file is damaged or of another version, or the files do not match.
    """
    import torch
    import transformers

    weights = folder / WEIGHTS
    check_safetensors(weights)
    share_processor()
    try:
        with _without_progress():
            model, loading = getattr(transformers, kind).from_pretrained(
                folder,
                dtype=getattr(torch, precision),
                local_files_only=True,
                use_safetensors=True,
                attn_implementation="sdpa",
                output_loading_info=True,
            )
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise MetricError(f"{folder}: cannot be loaded by this version of transformers: {reason}") from error
    except ImportError as error:
        reason = str(error).partition("\n")[0]
        raise MetricError(
            f"transformers cannot be imported beside the packages that are installed (a torchvision that was built "
            f"for another torch than {torch.__version__} does that): {reason}"
        ) from error
    # Missing weights would be initialised at random.
    lacking = sorted(name for name in loading["missing_keys"] if not name.startswith(_NOT_USED))
    lacking += sorted(str(entry) for entry in loading.get("mismatched_keys", ()))
    if lacking:
        raise MetricError(
            f"{weights}: does not fit config.json beside it: {len(lacking)} weights are missing or of another shape, "
            f"such as {lacking[0]}"
        )
    return model.to(device).eval()


def share_processor() -> None:
    """Let torch use only one thread in worker processes; in other processes nothing changes.

    A pool has a worker per core. If each used several threads, they would wait for each other most of the time.
    """
    import torch

    if parent_process() is not None:
        torch.set_num_threads(1)


def require_finite(values: "Tensor", *, name: str) -> None:
    """Raise `MetricError` unless all numbers in the output of an encoder are finite."""
    import torch

    if not bool(torch.isfinite(values).all()):
        raise MetricError(
            f"encoder {name!r} gives numbers that are not finite: "
            "its weights are damaged, or too large for the precision"
        )


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

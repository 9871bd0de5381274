"""A pretrained text model in memory: its tokeniser, its layers, and how many tokens it takes on at once."""

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
    """A tokeniser, and a function of a model that lies on a device.

    Attributes:
        model: The module of torch.
        budget: About how many tokens are computed together; halved when memory was short.
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
        """Keep a loaded model.

        Args:
            model: As above.
            tokenizer: Cuts texts to the model's length, and does not pad.
            forward: Turns token numbers `(n_rows, n_tokens)` into `(n_rows, ...)`.
            device: Where the model lies.
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
        """Return the tokens of each text, cut to the model's length."""
        # Lone surrogates are no Unicode text, which the tokeniser wants.
        clean = [text.strip().encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
        if self._lowercases:
            clean = [text.lower() for text in clean]
        encodings: list[Encoding] = self._tokenizer.encode_batch(clean)
        return encodings

    def run(self, encodings: "Sequence[Encoding]", *, store: "Callable[[Tile, Tensor], None]", name: str) -> None:
        """Compute texts tile after tile; those without tokens are passed over.

        Args:
            encodings: The tokens of each text.
            store: Called for each tile with what the model gives for its rows, of which `tile.n_kept` count.
                Several threads may call it at once, for different rows.
            name: The encoder, as errors name it.

        Raises:
            MetricError: A number is not finite, or memory does not hold a single text.
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
    """Return the model in a folder, which gives the vectors of its last layer; it is kept for the next call.

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
    """Return a tokeniser that cuts to so many tokens and does not pad.

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
    """Return a model of transformers, ready to compute.

    Args:
        folder: Holds `config.json` and `model.safetensors`.
        kind: The class of transformers that reads it.
        device: Where it shall lie.
        precision: Of its numbers.

    Raises:
        MetricError: A file is damaged, of another version, or they do not fit each other.
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
    # What a file lacks would be made up at random.
    lacking = sorted(name for name in loading["missing_keys"] if not name.startswith(_NOT_USED))
    lacking += sorted(str(entry) for entry in loading.get("mismatched_keys", ()))
    if lacking:
        raise MetricError(
            f"{weights}: does not fit config.json beside it: {len(lacking)} weights are missing or of another shape, "
            f"such as {lacking[0]}"
        )
    return model.to(device).eval()


def share_processor() -> None:
    """Let torch use one thread in a worker process; elsewhere it keeps those it has.

    A pool has a worker for each core. With as many threads in each they wait for one another most of the time.
    """
    import torch

    if parent_process() is not None:
        torch.set_num_threads(1)


def require_finite(values: "Tensor", *, name: str) -> None:
    """Raise `MetricError` unless all numbers that an encoder gives are finite."""
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

"""Compute P(human) of captions with their contexts, independently of the other captions in the batch.

A caption's vector is computed in a block of a fixed number of captions of the same length, and a probability in a block
of a fixed number of pairs. The shapes of all matrix products, and thus their rounding, depend only on the caption.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np
import torch
from torch import Tensor

from metrics_plugins.api import MetricError
from metrics_plugins.api.scores import Values
from metrics_plugins.encoders.full_precision import hold_full_precision
from metrics_plugins.encoders.tiles import is_out_of_memory
from metrics_plugins.encoders.weights import Precision
from metrics_plugins.metrics.critics.lstm.model.network import HUMAN, CriticNetwork
from metrics_plugins.text.tokens import Int64
from metrics_plugins.text.vocabulary import EncodedCaptions

Floats = np.ndarray

CPU_BLOCK: Final = 32
DEVICE_BLOCK: Final = 1024


class CriticScorer:
    """A network for inference, on its device.

    Attributes:
        block: The number of captions or pairs in a block; halved permanently when memory runs out.
    """

    def __init__(self, network: CriticNetwork, *, device: torch.device, precision: Precision = "float32") -> None:
        self.network = network.to(device).eval()
        if precision == "bfloat16":
            self.network.narrow()
        self.device = device
        self._dtype = getattr(torch, precision)
        self.block = CPU_BLOCK if device.type == "cpu" else DEVICE_BLOCK

    def read(self, captions: EncodedCaptions) -> Floats:
        """Return `(n, hidden)`: the vectors of captions; zero for captions without `<eos>`."""
        vectors = np.zeros((len(captions), self.network.settings.hidden), dtype=np.float32)
        for end in np.unique(captions.ends[captions.ends >= 0]).tolist():
            rows = np.flatnonzero(captions.ends == end)
            vectors[rows] = self._run(len(rows), partial(self._read_block, captions.ids[rows, : end + 1], end))
        return vectors

    def judge(self, captions: Floats, *, references: Floats | None, images: Floats | None) -> Values:
        """Return `(n,)`: P(human) of captions with vectors `(n, hidden)`, with one context row each."""
        columns = (captions, references, images)

        def judge_block(part: Int64) -> Tensor:
            own, beside, shown = (
                None if each is None else torch.from_numpy(each[part]).to(self.device, self._dtype) for each in columns
            )
            assert own is not None  # noqa: S101  (captions always are)
            return self.network.join(own, references=beside, images=shown).softmax(dim=1)[:, HUMAN]

        return self._run(len(captions), judge_block).astype(np.float64)

    def _read_block(self, ids: Int64, end: int, part: Int64) -> Tensor:
        tokens = torch.from_numpy(ids[part]).to(self.device)
        return self.network.read(tokens, torch.full((len(part),), end, device=self.device)).float()

    def _run(self, n_rows: int, compute: Callable[[Int64], Tensor]) -> Floats:
        while True:
            try:
                with torch.inference_mode(), hold_full_precision(self.device.type):
                    blocks = [compute(part).cpu().numpy()[:n_own] for part, n_own in self._split(n_rows)]
                return np.concatenate(blocks) if blocks else np.empty(0, dtype=np.float32)
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
                self._halve(error)

    def _split(self, n_rows: int) -> Iterator[tuple[Int64, int]]:
        """Yield the rows of each block and their number; the last block is padded with its first row."""
        for start in range(0, n_rows, self.block):
            own = np.arange(start, min(start + self.block, n_rows))
            yield np.concatenate([own, np.full(self.block - len(own), start)]), len(own)

    def _halve(self, error: Exception) -> None:
        if self.block == 1:
            raise MetricError(
                f"metric 'critic-lstm': the memory of {self.device} does not suffice for one caption: {error}"
            ) from error
        self.block //= 2
        if self.device.type == "cuda":
            torch.cuda.empty_cache()

"""Several processes that train one network, started by torchrun: which of them this is, and what they exchange."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import distributed, nn

from captioning.api.errors import CaptionerError
from captioning.training.order import Int64


@dataclass(frozen=True, slots=True)
class Processes:
    """This process among all.

    Attributes:
        rank: Its number, from 0; only process 0 writes files.
        n: The number of processes.
        device: The device of this process.
    """

    rank: int
    n: int
    device: torch.device

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    def take_share(self, rows: Int64) -> Int64:
        """Return the part of a batch that this process computes; all parts have the same size."""
        return rows[self.rank :: self.n]

    def wrap(self, module: nn.Module) -> nn.Module:
        """Return a module whose gradients are averaged over all processes."""
        return nn.parallel.DistributedDataParallel(module) if self.n > 1 else module

    def send(self, value: Any) -> Any:
        """Return the value that process 0 passed."""
        if self.n == 1:
            return value
        values = [value]
        distributed.broadcast_object_list(values, src=0)
        return values[0]

    def wait(self) -> None:
        """Wait for all processes."""
        if self.n > 1:
            distributed.barrier()


@contextmanager
def join_processes(device: str, *, batch_size: int) -> Iterator[Processes]:
    """Join the processes that torchrun started, if any: it sets WORLD_SIZE, RANK and LOCAL_RANK.

    Args:
        device: `cpu`, or `cuda`, which becomes `cuda:LOCAL_RANK`.
        batch_size: The size of a batch over all processes.

    Raises:
        CaptionerError: The number of processes does not divide the batch size.
    """
    n = int(os.environ.get("WORLD_SIZE", "1"))
    if n == 1:
        yield Processes(0, 1, torch.device(device))
        return
    if batch_size % n:
        raise CaptionerError(
            f"`batch_size` of a training must be a multiple of the number of processes, got {batch_size} and {n}"
        )
    is_cuda = device.startswith("cuda")
    own = torch.device(f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if is_cuda else device)
    if is_cuda:
        torch.cuda.set_device(own)
    distributed.init_process_group("nccl" if is_cuda else "gloo")
    try:
        yield Processes(distributed.get_rank(), n, own)
    finally:
        distributed.destroy_process_group()

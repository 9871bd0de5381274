"""Measures what limits an encoder on a device: the utilisation of the device and its share of the peak rate."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

SIZE, REPEATS = 2048, 8


def measure_limit(captions: Sequence[str], *, device: str, precision: str) -> dict[str, Any]:
    """Return the measurements for encoding captions with MiniLM on a device.

    `busy` is the share of the time in which the device computes (on a CPU, its threads). `of_best` is the rate of
    operations for the captions, divided by the rate of the same device for large matrix products in the same precision.
    """
    from metrics_plugins.encoders.caching.memory import open_memory
    from metrics_plugins.runtime import load_registry

    encoder: Any = load_registry().get_encoder(f"minilm@{precision}", device=device)

    def encode() -> None:
        open_memory.cache_clear()
        encoder.encode(captions)

    encode()
    seconds, busy = _time(encode, device=device)
    operations = count_operations(encoder, captions)
    best = measure_products(device=device, precision=precision)
    of_best = operations / seconds / best
    found = {
        "captions_per_s": len(captions) / seconds,
        "tflops": operations / seconds / 1e12,
        "tflops_of_products": best / 1e12,
        "busy": busy,
        "of_best": of_best,
    }
    # Three significant digits, for slow devices too.
    return {name: float(f"{value:.3g}") for name, value in found.items()} | {
        "limit": name_limit(busy=busy, of_best=of_best)
    }


def name_limit(*, busy: float, of_best: float) -> str:
    """Return a description of the limiting factor."""
    if busy < 0.5:
        return "the host: the device waits for tokens and launches most of the time"
    if of_best >= 0.5:
        return "matrix products: the device does at least half of the best it can"
    return "memory and small kernels: the device is busy, but less than half of it with products at their best"


def count_operations(encoder: Any, captions: Sequence[str]) -> float:
    """Return the number of additions and multiplications of the layers for distinct captions, without padding."""
    config = encoder._load().model.config
    wide, inner = config.hidden_size, config.intermediate_size
    lengths = encoder.tokenize(list(dict.fromkeys(captions))).lengths.astype(float)
    per_token = 2 * (4 * wide * wide + 2 * wide * inner)
    return float(config.num_hidden_layers * (per_token * lengths + 4 * wide * lengths**2).sum())


def measure_products(*, device: str, precision: str) -> float:
    """Return the operations per second for products of large square matrices."""
    import torch

    from metrics_plugins.encoders.full_precision import hold_full_precision

    left, right = (torch.ones(SIZE, SIZE, device=device, dtype=getattr(torch, precision)) for _ in (0, 1))

    def multiply() -> None:
        for _ in range(REPEATS):
            product = left @ right
        product[0, 0].item()

    with hold_full_precision(device):
        multiply()
        start = time.perf_counter()
        multiply()
        return REPEATS * 2 * SIZE**3 / (time.perf_counter() - start)


def _time(work: Callable[[], None], *, device: str) -> tuple[float, float]:
    """Return the seconds of a task, and the share in which the device computes."""
    import torch

    start, cpu = time.perf_counter(), time.process_time()
    work()
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    if not device.startswith("cuda"):
        return seconds, cpu / seconds / torch.get_num_threads()
    # Timed separately, because profiling slows down the host.
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        work()
        torch.cuda.synchronize()
    kernels = [each for each in profile.events() or () if each.device_type == torch.autograd.DeviceType.CUDA]
    return seconds, sum(each.time_range.elapsed_us() for each in kernels) / 1e6 / seconds

"""Tests that worker processes share the CPU and give exactly the same vectors as a single process."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from metrics_plugins.encoders.loaded import load_transformer
from metrics_plugins.encoders.transformer import TransformerEncoder

TEXTS = ["a dog runs", "the red cat sleeps on the grass", "two dogs"]


def encode_elsewhere(folder: Path) -> tuple[int, np.ndarray]:
    """Return the number of threads of torch, and the vectors."""
    import torch

    vectors = TransformerEncoder.open(folder, name="tiny").encode(TEXTS)
    return torch.get_num_threads(), vectors


def test_a_worker_uses_one_thread(tiny_folder: Path) -> None:
    # Started afresh: a fork of a process that runs threads may hang.
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as pool:
        n_threads, vectors = pool.submit(encode_elsewhere, tiny_folder).result()

    assert n_threads == 1
    np.testing.assert_array_equal(vectors, TransformerEncoder.open(tiny_folder, name="tiny").encode(TEXTS))


def test_a_model_is_loaded_once(tiny_folder: Path) -> None:
    encoder = TransformerEncoder.open(tiny_folder, name="tiny")
    options = {"device": encoder.device, "precision": encoder.precision, "budget": encoder.budget}

    first = load_transformer(encoder.folder, encoder.digest, **options)

    assert load_transformer(encoder.folder, encoder.digest, **options) is first
    assert load_transformer(encoder.folder, "changed", **options) is not first

"""Training of a captioner's network in a folder, and reading it back (torch)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from captioning.api import CaptionedImages, CaptionerError, ImageInput
from captioning.captioners.folders import TrainedNetwork, has_captioner
from captioning.captioners.training_data import count_vocabulary, measure_training
from captioning.networks.building import build_evaluator, build_network
from captioning.networks.network import CaptionNetwork
from captioning.networks.settings import Architecture
from captioning.training.checkpoints import remove_checkpoint, require_same
from captioning.training.loop import Material, Training
from captioning.training.order import EVALUATOR, WEIGHTS, Draws
from captioning.training.parallel import join_processes
from captioning.training.settings import TrainingSettings
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.encoders.full_precision import hold_full_precision


def fit(
    architecture: Architecture,
    data: CaptionedImages,
    validation: CaptionedImages,
    *,
    inputs: ImageInput,
    folder: Path,
    seed: int,
    device: str,
    settings: TrainingSettings,
    title: str,
    track: Track = pass_on,
) -> TrainedNetwork:
    """Train a network, or read it if training in the folder is complete.

    Raises:
        CaptionerError: The images do not fit, or training cannot continue.
        BadCheckpoint: The folder belongs to another training.
    """
    if settings.objective == "adversarial" and architecture != "cgan":
        raise CaptionerError(f"the objective 'adversarial' trains the captioner 'cgan' only, got {architecture!r}")
    shape, dimension = measure_training(data, validation, inputs)
    start = None
    if settings.start:
        start = TrainedNetwork.read(Path(settings.start), architecture=architecture)
        if (start.shape, start.dimension) != (shape, dimension):
            raise CaptionerError(f"`start`: {settings.start} was trained on images of another size or other features")
    identity: dict[str, Any] = {
        "captioner": architecture,
        "data": data.digest,
        "validation": validation.digest,
        "seed": seed,
        # The folder may move; its content counts.
        "settings": {**settings.to_json(), "start": start and dict(start.made_of)},
    }
    if has_captioner(folder):
        trained = TrainedNetwork.read(folder, architecture=architecture)
        require_same(trained.made_of, identity, folder=folder)
        return trained
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = start.vocabulary if start else count_vocabulary(data, min_count=settings.min_count)
    draws = Draws(seed)
    generator = torch.Generator().manual_seed(draws.make_seed(WEIGHTS))
    sizes: dict[str, Any] = {"n_words": len(vocabulary), "shape": shape, "dimension": dimension}
    network_settings = settings.make_network_settings(architecture)
    network = build_network(network_settings, **sizes, generator=generator)
    evaluator = None
    if settings.objective == "adversarial":
        own = torch.Generator().manual_seed(draws.make_seed(EVALUATOR))
        evaluator = build_evaluator(network_settings, **sizes, generator=own)
    if start:
        _load(network, start)
    with (
        join_processes(device, batch_size=settings.batch_size) as processes,
        hold_full_precision(processes.device.type),
        _use_threads(settings.threads),
    ):
        training = Training(
            network.to(processes.device),
            Material(data, validation, inputs, vocabulary),
            settings,
            draws=draws,
            processes=processes,
            folder=folder,
            identity=identity,
            title=title,
            evaluator=evaluator and evaluator.to(processes.device),
        )
        training.run(track)
        trained = TrainedNetwork(
            architecture, settings, vocabulary, shape, dimension, identity, training.copy_weights(), data.note
        )
        if processes.is_first:
            trained.write(folder)
            remove_checkpoint(folder)
        processes.wait()
    return trained


def load_network(trained: TrainedNetwork, *, device: str) -> CaptionNetwork:
    """Return the network with its weights, for use."""
    network = build_network(
        trained.settings.make_network_settings(trained.architecture),
        n_words=len(trained.vocabulary),
        shape=trained.shape,
        dimension=trained.dimension,
        generator=torch.Generator(),
    )
    _load(network, trained)
    return network.to(device).eval()


def _load(network: CaptionNetwork, trained: TrainedNetwork) -> None:
    state = {name: torch.from_numpy(values.copy()) for name, values in trained.tensors.items()}
    try:
        network.load_state_dict(state)
    except RuntimeError as error:
        reason = str(error).partition("\n")[2].strip().partition("\n")[0]
        raise CaptionerError(f"the weights do not fit the network of {trained.architecture!r}: {reason}") from error


@contextmanager
def _use_threads(n: int) -> Iterator[None]:
    before = torch.get_num_threads()
    if n:
        torch.set_num_threads(n)
    try:
        yield
    finally:
        torch.set_num_threads(before)

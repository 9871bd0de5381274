"""Print the averaged gradients of one step as JSON; started by a test as one process, or as several by environment."""

import json
import sys
from pathlib import Path

import torch

from captioning.api import ImageInput
from captioning.networks.building import build_network
from captioning.networks.settings import NetworkSettings
from captioning.training.losses import WeightedLoss
from captioning.training.order import BatchOrder, Draws
from captioning.training.parallel import join_processes
from captioning.training.settings import TrainingSettings
from captioning.training.steps import CrossEntropySteps
from metrics_plugins.text.vocabulary import Vocabulary
from tests.captioning.training.samples import SMALL, make_data


def main(path: Path) -> None:
    """Write the gradients after the first step."""
    torch.set_num_threads(1)
    settings, data, draws = TrainingSettings.of(SMALL), make_data(), Draws(3)
    vocabulary = Vocabulary.count((line for lines in data.captions for line in lines), size=100)
    network = build_network(
        NetworkSettings(architecture="lrcn-1u", hidden=8, embedding=8, dropout=0.0),
        n_words=len(vocabulary),
        dimension=12,
        generator=torch.Generator().manual_seed(0),
    )
    steps = CrossEntropySteps(data, ImageInput.FEATURES, vocabulary, settings)
    with join_processes("cpu", batch_size=settings.batch_size) as processes:
        rows = processes.take_share(BatchOrder(draws, 0, len(steps), settings.batch_size).get_rows(0))
        step = steps.prepare(rows, device=processes.device)
        module = processes.wrap(WeightedLoss(network))
        module(step.images, step.rows, step.ids, step.weights, step.is_sampled, None).backward()
        if processes.is_first:
            found = {name: weight.grad.tolist() for name, weight in network.named_parameters()}
            path.write_text(json.dumps({"n": len(rows), "gradients": found}))
        processes.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

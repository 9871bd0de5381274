import numpy as np
import pytest
import torch

from captioning.api import ImageInput
from captioning.networks.building import build_network
from captioning.networks.settings import NetworkSettings
from captioning.training import steps
from captioning.training.order import Draws
from captioning.training.settings import TrainingSettings
from metrics_plugins.text.vocabulary import Vocabulary
from tests.captioning.training.samples import SMALL, make_data

torch.set_num_threads(1)

DATA = make_data(8)


@pytest.mark.parametrize("bf16", [False, True])
def test_samples_and_the_baseline_are_computed_in_the_precision_of_the_loss(bf16, monkeypatch):
    found = []

    def watch(function):
        def record(*given, **named):
            found.append(torch.is_autocast_enabled("cpu"))
            return function(*given, **named)

        return record

    for name in ("sample_captions", "decode_greedily"):
        monkeypatch.setattr(steps, name, watch(getattr(steps, name)))
    settings = TrainingSettings.of({**SMALL, "objective": "scst", "objective_steps": 1, "n_samples": 2, "bf16": bf16})
    vocabulary = Vocabulary.count((line for lines in DATA.captions for line in lines), size=100)
    network = build_network(
        NetworkSettings(architecture="lrcn-1u", hidden=8, embedding=8, dropout=0.0),
        n_words=len(vocabulary),
        dimension=12,
        generator=torch.Generator().manual_seed(0),
    )
    human = steps.CrossEntropySteps(DATA, ImageInput.FEATURES, vocabulary, settings)
    prepared = steps.PolicySteps.make(human, vocabulary, settings, Draws(0)).prepare(
        network, np.arange(4), step=0, generator=torch.Generator().manual_seed(0), device=torch.device("cpu")
    )
    assert found == [bf16, bf16]
    assert not torch.is_autocast_enabled("cpu")
    assert prepared.weights.shape == (8,)
    assert torch.isfinite(prepared.weights).all()

import pytest
import torch

from captioning.networks.cvae import CvaeDecoder
from captioning.networks.settings import Architecture
from captioning.training.losses import WeightedLoss
from tests.captioning.networks.samples import make_network, make_regions

IDS = torch.tensor([[4, 5, 3], [6, 3, 0], [3, 0, 0], [7, 8, 3]])
ROWS = torch.tensor([0, 0, 1, 2])
WEIGHTS = torch.tensor([1.0, 0.5, 2.0, 1.0])


@pytest.mark.parametrize("architecture", ["cvae", "gmm-cvae"])
def test_variational_decoders_learn_from_their_bound(architecture: Architecture) -> None:
    network = make_network(architecture, dropout=0.2, divergence_weight=0.3)
    assert isinstance(network.decoder, CvaeDecoder)
    is_sampled = torch.zeros(4, dtype=torch.bool)
    loss = WeightedLoss(network)(make_regions(), ROWS, IDS, WEIGHTS, is_sampled, torch.Generator().manual_seed(0))
    regions = network.encoder(make_regions()).take(ROWS)
    bound = network.decoder.compute_bound(regions, IDS, generator=torch.Generator().manual_seed(0))
    expected = -(WEIGHTS * (bound.words.sum(dim=1) - 0.3 * bound.divergence)).sum()
    torch.testing.assert_close(loss, expected)
    loss.backward()
    assert all(weight.grad is not None for weight in network.parameters())

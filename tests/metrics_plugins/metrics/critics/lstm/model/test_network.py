"""Tests of the network with each kind of context."""

import numpy as np
import pytest
import torch

from metrics_plugins.metrics.critics.lstm.model.network import CriticNetwork
from metrics_plugins.metrics.critics.lstm.model.settings import CriticSettings

HEADS = ("linear", "mlp", "bilinear")
CONTEXTS = ("none", "image", "reference", "both")


def make_network(beside: str, head: str, *, dropout: float = 0.5) -> CriticNetwork:
    settings = CriticSettings(beside=beside, head=head, hidden=8, pooled=32, dropout=dropout)
    network = CriticNetwork(settings, n_words=20, dimension=6, image_dimension=5)
    network.draw_weights(torch.Generator().manual_seed(3))
    return network


def make_contexts(beside: str, vectors: torch.Tensor) -> dict[str, torch.Tensor]:
    contexts = {}
    if beside in ("image", "both"):
        contexts["images"] = torch.linspace(-1, 1, 5 * len(vectors)).reshape(-1, 5).to(vectors.dtype)
    if beside in ("reference", "both"):
        contexts["references"] = vectors.flip(0)
    return contexts


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("beside", CONTEXTS)
def test_every_head_joins_every_context(beside: str, head: str) -> None:
    network = make_network(beside, head)
    vectors = network.read(torch.tensor([[4, 5, 3], [6, 3, 0]]), torch.tensor([2, 1]))

    logits = network.join(vectors, **make_contexts(beside, vectors))

    # The output's inputs: context and caption of 8 numbers each, or what the layer or the pooling makes of them.
    n_joined = 8 * (1 + len(make_contexts(beside, vectors)))
    assert tuple(logits.shape) == (2, 2)
    assert network.output.in_features == {"linear": n_joined, "mlp": 8, "bilinear": 32}[head]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("beside", CONTEXTS)
def test_gradients_are_those_of_small_differences(beside: str, head: str) -> None:
    network = make_network(beside, head).double()
    vectors = torch.randn(2, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(1), requires_grad=True)

    assert torch.autograd.gradcheck(lambda own: network.join(own, **make_contexts(beside, own)), (vectors,))


def test_vector_is_read_at_the_end_whatever_follows() -> None:
    network = make_network("none", "linear")
    ends = torch.tensor([2])

    short = network.read(torch.tensor([[7, 8, 3]]), ends)
    padded = network.read(torch.tensor([[7, 8, 3, 0, 0, 9]]), ends)

    assert torch.equal(short, padded)
    assert torch.equal(short, network.lstm(network.embedding(torch.tensor([[7, 8, 3]])))[0][:, 2])


def test_caption_without_an_end_has_the_zero_vector() -> None:
    vectors = make_network("none", "linear").read(torch.tensor([[4, 5, 6]]), torch.tensor([-1]))

    assert torch.equal(vectors, torch.zeros(1, 8))


def test_numbers_are_dropped_by_the_generator_alone() -> None:
    network = make_network("none", "mlp")
    ids, ends = torch.tensor([[4, 5, 3]] * 50), torch.tensor([2] * 50)

    first, second, third = (network.read(ids, ends, torch.Generator().manual_seed(seed)) for seed in (1, 1, 2))

    assert torch.equal(first, second)
    assert not torch.equal(first, third)
    dropped = float((first == 0).float().mean())
    assert dropped == pytest.approx(0.5, abs=0.1)


def test_nothing_is_dropped_without_a_generator() -> None:
    network = make_network("none", "linear")
    ids, ends = torch.tensor([[4, 5, 3]]), torch.tensor([2])

    assert torch.equal(network.train().read(ids, ends), network.eval().read(ids, ends))


def test_forget_gate_biases_are_initialised_to_1_and_others_to_0() -> None:
    network = make_network("reference", "mlp")

    biases = {name: values.detach().numpy() for name, values in network.named_parameters() if values.dim() == 1}
    expected = {name: np.zeros_like(values) for name, values in biases.items()}
    expected["lstm.bias_ih_l0"][8:16] = 1.0
    assert {name: values.tolist() for name, values in biases.items()} == {
        name: values.tolist() for name, values in expected.items()
    }

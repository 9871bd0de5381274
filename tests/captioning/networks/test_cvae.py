import math

import pytest
import torch
from torch import distributions

from captioning.networks.cvae import PRIOR_DEVIATION, CvaeDecoder, GmmCvaeDecoder
from captioning.networks.network import EncodedRegions
from captioning.networks.noise import NoiseDecoder
from captioning.networks.settings import Architecture
from captioning.networks.targets import encode_captions
from metrics_plugins.text.vocabulary import Vocabulary
from tests.captioning.networks.samples import make_network, make_regions

CAPTIONS = torch.tensor([[4, 5, 3, 0], [3, 0, 0, 0], [6, 7, 8, 3]])


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def make(architecture: Architecture) -> tuple[CvaeDecoder, EncodedRegions]:
    network = make_network(architecture, scale=2, dropout=0.0)
    assert isinstance(network.decoder, CvaeDecoder)
    with torch.no_grad():
        return network.decoder, network.encoder(make_regions())


def test_the_divergence_from_the_standard_normal_is_exact() -> None:
    decoder, regions = make("cvae")
    with torch.no_grad():
        means, logarithms = decoder.read_posterior(regions, CAPTIONS)
        bound = decoder.compute_bound(regions, CAPTIONS, generator=seeded())
    posterior = distributions.Normal(means, (logarithms / 2).exp())
    expected = distributions.kl_divergence(posterior, distributions.Normal(0.0, 1.0)).sum(dim=1)
    torch.testing.assert_close(bound.divergence, expected)
    torch.testing.assert_close(bound.weigh(), bound.words.sum(dim=1) - expected)
    torch.testing.assert_close(bound.weigh(0.5), bound.words.sum(dim=1) - 0.5 * expected)
    assert (bound.words[CAPTIONS == 0] == 0).all()


def test_the_divergence_from_a_mixture_is_that_of_the_densities() -> None:
    decoder, regions = make("gmm-cvae")
    assert isinstance(decoder, GmmCvaeDecoder)
    torch.testing.assert_close(decoder.prior.means.norm(dim=1), torch.ones(4))
    noise = torch.randn(3, 3, generator=seeded())
    with torch.no_grad():
        means, logarithms = decoder.read_posterior(regions, CAPTIONS)
        computed = decoder.compute_divergence(regions, means, logarithms, noise)
        mixture = distributions.MixtureSameFamily(
            distributions.Categorical(logits=decoder.prior.logits(regions.mean)),
            distributions.Independent(distributions.Normal(decoder.prior.means.expand(3, 4, 3), PRIOR_DEVIATION), 1),
        )
        posterior = distributions.Independent(distributions.Normal(means, (logarithms / 2).exp()), 1)
    torch.testing.assert_close(computed, posterior.log_prob(noise) - mixture.log_prob(noise))


@pytest.mark.parametrize("architecture", ["cvae", "gmm-cvae"])
def test_the_bound_is_below_the_log_probability(architecture: Architecture) -> None:
    decoder, regions = make(architecture)
    with torch.no_grad():
        bounds = torch.stack(
            [decoder.compute_bound(regions, CAPTIONS, generator=seeded(seed)).weigh() for seed in range(200)]
        )
        logarithms = []
        for seed in range(400):
            deviation = 1.0 if architecture == "cvae" else PRIOR_DEVIATION
            noise = decoder.draw_noise(regions, deviations=[deviation], generator=seeded(seed))[:, 0]
            given = decoder.read(
                torch.tensor([[2, 4, 5, 3], [2, 3, 0, 0], [2, 6, 7, 8]]), decoder.begin_with_noise(regions, noise)
            )
            rows = given.gather(2, CAPTIONS.unsqueeze(2)).squeeze(2)
            logarithms.append(torch.where(CAPTIONS == 0, 0.0, rows).sum(dim=1))
    exact = torch.logsumexp(torch.stack(logarithms), dim=0) - math.log(400)
    assert (bounds.mean(dim=0) < exact + 0.05).all()


@pytest.mark.parametrize("architecture", ["cvae", "gmm-cvae"])
def test_padding_does_not_change_the_posterior(architecture: Architecture) -> None:
    decoder, regions = make(architecture)
    with torch.no_grad():
        padded = decoder.read_posterior(regions, CAPTIONS)[0][1]
        alone = decoder.read_posterior(regions.take(torch.tensor([1])), CAPTIONS[1:2, :1])[0][0]
    torch.testing.assert_close(padded, alone)


@pytest.mark.parametrize("architecture", ["cvae", "gmm-cvae"])
def test_all_weights_learn_from_the_bound(architecture: Architecture) -> None:
    network = make_network(architecture)
    assert isinstance(network.decoder, CvaeDecoder)
    bound = network.decoder.compute_bound(network.encoder(make_regions()), CAPTIONS, generator=seeded())
    (-bound.weigh().mean()).backward()
    assert [name for name, weight in network.named_parameters() if weight.grad is None] == []


def test_random_vectors_have_the_given_deviations() -> None:
    network = make_network("cgan", noise=50)
    assert isinstance(network.decoder, NoiseDecoder)
    regions = network.encoder(make_regions(200))
    noise = network.decoder.draw_noise(regions, deviations=[0.0, 1.0, 10.0], generator=seeded())
    assert noise.shape == (200, 3, 50)
    torch.testing.assert_close(noise.std(dim=(0, 2)), torch.tensor([0.0, 1.0, 10.0]), rtol=0.03, atol=0)
    assert (network.decoder.choose_noise(regions) == 0).all()


def test_random_vectors_of_the_mixture_lie_around_its_components() -> None:
    decoder, _ = make("gmm-cvae")
    assert isinstance(decoder, GmmCvaeDecoder)
    regions = EncodedRegions(torch.ones(1, 1, 8).expand(2000, 1, 8), torch.ones(2000, 1, dtype=torch.bool))
    with torch.no_grad():
        weights = decoder.prior.weigh(regions)[0].exp()
        noise = decoder.draw_noise(regions, deviations=[0.0, 0.01], generator=seeded())
    distances = (noise.unsqueeze(2) - decoder.prior.means).norm(dim=3)
    nearest = distances.argmin(dim=2)
    assert (distances[:, 0].amin(dim=1) == 0).all()
    assert 0 < distances[:, 1].amin(dim=1).max() < 0.06
    shares = torch.bincount(nearest.flatten(), minlength=4) / 4000
    torch.testing.assert_close(shares, weights, atol=0.03, rtol=0)


def test_different_vectors_give_the_different_captions_of_an_image() -> None:
    """One image with two captions: the random vector decides which one is generated."""
    vocabulary = Vocabulary(("a", "cat", "dog", "big", "one", "two", "x"))
    ids = encode_captions(["a cat", "one dog two"] * 16, vocabulary)
    network = make_network("cvae", hidden=16, embedding=8, noise=2, dropout=0.0)
    assert isinstance(network.decoder, CvaeDecoder)
    given = make_regions(1).take(torch.zeros(32, dtype=torch.long))
    optimizer = torch.optim.Adam(network.parameters(), lr=0.02)
    generator = seeded()
    for _ in range(120):
        bound = network.decoder.compute_bound(network.encoder(given), ids, generator=generator)
        # At full weight, telling two captions apart costs as much as it gains.
        loss = -bound.weigh(network.decoder.divergence_weight).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        regions = network.encoder(given)
        noise = network.decoder.draw_noise(regions, deviations=[1.0], generator=generator)[:, 0]
        first, _ = network.decoder.step(torch.full((32,), 2), network.decoder.begin_with_noise(regions, noise))
    probabilities = first.exp()[:, 4]  # of "a"
    assert (probabilities > 0.9).any()
    assert (probabilities < 0.1).any()

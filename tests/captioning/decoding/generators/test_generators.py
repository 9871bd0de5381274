from typing import get_args

import pytest
import torch

from captioning.api import CaptionerError
from captioning.decoding.beam import search_beam
from captioning.decoding.generators.altered_images import add_noise, add_noise_to_regions, crop_randomly
from captioning.decoding.generators.catalogue import GENERATORS, GeneratorName, generate_captions
from captioning.decoding.generators.settings import GeneratorSettings
from captioning.decoding.generators.synonyms import Synonyms
from captioning.decoding.scoring import score_captions
from captioning.networks.building import build_network
from captioning.networks.network import CaptionNetwork
from captioning.networks.settings import Architecture, NetworkSettings
from tests.captioning.decoding.toy import strip
from tests.captioning.networks.samples import N_WORDS, make_network, make_regions


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def make_pixel_network(architecture: Architecture = "lrcn-1u") -> CaptionNetwork:
    settings = NetworkSettings(architecture=architecture, hidden=8, embedding=6, dropout=0.0, channels=(8, 8), noise=3)
    network = build_network(settings, n_words=N_WORDS, shape=(16, 16), generator=seeded(1))
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(2)
    return network


def make_settings(**changes: int) -> GeneratorSettings:
    vectors = torch.randn(N_WORDS - 4, 5, generator=seeded()).numpy()
    return GeneratorSettings(max_words=5, synonyms=Synonyms.find(vectors, k=3), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", get_args(GeneratorName))
def test_every_generator_gives_ten_captions_and_follows_its_generator(name: GeneratorName) -> None:
    network = make_pixel_network("cvae" if name == "drv" else "lrcn-1u")
    pixels = torch.rand(3, 3, 16, 16, generator=seeded())
    settings = make_settings()
    decoded = generate_captions(name, network, pixels, settings=settings, generator=seeded())
    assert decoded.ids.shape == decoded.word_log_probabilities.shape == (3, 10, 6)
    for row in decoded.ids.flatten(0, 1):
        strip(row)
    again = generate_captions(name, network, pixels, settings=settings, generator=seeded())
    assert torch.equal(decoded.ids, again.ids)
    other = generate_captions(name, network, pixels, settings=settings, generator=seeded(1))
    assert not torch.equal(decoded.word_log_probabilities, other.word_log_probabilities)
    assert not decoded.word_log_probabilities.requires_grad
    assert set(GENERATORS) == set(get_args(GeneratorName))


@pytest.mark.parametrize("name", ["rs", "ss"])
def test_log_probabilities_are_those_of_the_unaltered_image(name: GeneratorName) -> None:
    network = make_network("att2in", scale=3)
    decoded = generate_captions(name, network, make_regions(), settings=make_settings(), generator=seeded())
    with torch.no_grad():
        regions = network.encoder(make_regions()).take(torch.arange(3).repeat_interleave(10))
    scores = score_captions(network.decoder, regions, decoded.ids.flatten(0, 1))
    torch.testing.assert_close(decoded.log_probabilities.flatten(), scores, atol=1e-5, rtol=0)


def test_synonym_switch_starts_with_the_beam_and_keeps_lengths() -> None:
    network = make_network("lrcn-1u", scale=3)
    settings = make_settings(n=60)
    assert settings.synonyms is not None
    decoded = generate_captions("ss", network, make_regions(), settings=settings, generator=seeded())
    with torch.no_grad():
        state = network.decoder.begin(network.encoder(make_regions()))
    found = search_beam(network.decoder, state, n=1, max_words=5, size=3)
    assert torch.equal(decoded.ids[:, :1], found.ids)
    first = decoded.ids[:, :1].expand(-1, 59, -1)
    copies = decoded.ids[:, 1:]
    assert torch.equal(copies <= 3, first <= 3)
    changed = copies != first
    assert bool((settings.synonyms.ids[first] == copies.unsqueeze(3)).any(dim=3)[changed].all())
    # The last copies are switched with probability 1, as a word is no neighbour of its own.
    assert bool(changed[:, -30:][first[:, -30:] > 3].all())
    assert not bool(changed[:, :30][first[:, :30] > 3].all())


def test_settings_are_those_of_the_paper() -> None:
    settings = GeneratorSettings()
    assert settings.deviations == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert settings.switch_probabilities == [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
    assert (settings.n, settings.beam_size, settings.max_words) == (10, 3, 16)


def test_crops_keep_seven_eighths_and_the_size() -> None:
    down = torch.arange(64.0).view(1, 1, 64, 1).expand(400, 1, 64, 64)
    across = torch.arange(64.0).view(1, 1, 1, 64).expand(400, 1, 64, 64)
    crops = crop_randomly(torch.cat([down, across, across], dim=1), generator=seeded())
    assert crops.shape == (400, 3, 64, 64)
    tops, lefts = crops[:, 0, 0, 0], crops[:, 1, 0, 0]
    assert sorted(set(tops.tolist())) == sorted(set(lefts.tolist())) == list(range(9))
    torch.testing.assert_close(crops[:, 0, -1, 0] - tops, torch.full((400,), 55.0))
    torch.testing.assert_close(crops[:, 1, 0, -1] - lefts, torch.full((400,), 55.0))


def test_noise_has_the_given_deviations_of_bytes() -> None:
    pixels = torch.full((2, 3, 32, 32), 0.5)
    noisy = add_noise(pixels, deviations=[1.0, 5.0, 10.0], generator=seeded()).view(2, 3, -1)
    torch.testing.assert_close(255 * noisy.std(dim=2), torch.tensor([[1.0, 5.0, 10.0]] * 2), rtol=0.05, atol=0)
    bright = add_noise(torch.ones(1, 3, 8, 8), deviations=[10.0], generator=seeded())
    assert bright.max() == 1


def test_noise_on_features_is_in_hundredths_of_their_size_and_spares_absent_regions() -> None:
    regions = make_regions(200)
    noisy = add_noise_to_regions(regions, deviations=[1.0, 10.0], generator=seeded())
    rows = torch.arange(200).repeat_interleave(2)
    change = noisy.values - regions.values[rows]
    assert (change[~noisy.mask] == 0).all()
    existing = torch.where(regions.mask.unsqueeze(2), regions.values, torch.nan).flatten(1)
    sizes = existing.square().nanmean(dim=1).sqrt()[rows]
    relative = change / sizes.view(-1, 1, 1)
    for part, deviation in ((0, 0.01), (1, 0.1)):
        assert float(relative[part::2][noisy.mask[part::2]].std()) == pytest.approx(deviation, rel=0.05)


def test_what_a_generator_needs_is_said() -> None:
    network = make_network("lrcn-1u")
    for name, message in (
        ("rci", "random crops need images given as pixels"),
        ("drv", "random vectors need `cvae`, `gmm-cvae` or `cgan`, got a network with a LstmDecoder"),
        ("ss", "synonym switch needs `synonyms`"),
    ):
        with pytest.raises(CaptionerError, match=message):
            generate_captions(name, network, make_regions(), settings=GeneratorSettings(), generator=seeded())  # type: ignore[arg-type]

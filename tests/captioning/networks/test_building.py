import subprocess
import sys

import pytest
import torch

from captioning.api import CaptionerError
from captioning.networks.building import build_network
from captioning.networks.network import take_state
from captioning.networks.settings import Architecture, NetworkSettings
from metrics_plugins.text.vocabulary import PAD, START
from tests.captioning.networks.samples import ARCHITECTURES, N_WORDS, make_network, make_regions, make_words


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_processing_all_steps_at_once_equals_stepping(architecture: Architecture) -> None:
    network = make_network(architecture, scale=3)
    words = make_words()
    with torch.no_grad():
        regions = network.encoder(make_regions())
        at_once = network.decoder(regions, words)
        state = network.decoder.begin(regions)
        rows = []
        for step in range(words.shape[1]):
            row, state = network.decoder.step(words[:, step], state)
            rows.append(row)
    torch.testing.assert_close(at_once, torch.stack(rows, dim=1), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_probabilities_sum_to_one_without_padding_and_start(architecture: Architecture) -> None:
    network = make_network(architecture)
    with torch.no_grad():
        probabilities = network.decoder(network.encoder(make_regions()), make_words()).exp()
    assert probabilities.shape == (3, 6, N_WORDS)
    torch.testing.assert_close(probabilities.sum(dim=2), torch.ones(3, 6))
    assert (probabilities[..., [PAD, START]] == 0).all()
    assert (probabilities > 0).sum(dim=2).eq(N_WORDS - 2).all()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_probabilities_depend_on_image_and_on_every_earlier_word(architecture: Architecture) -> None:
    network = make_network(architecture, scale=3)
    words = make_words()
    with torch.no_grad():
        regions = network.encoder(make_regions())
        before = network.decoder(regions, words)
        changed = words.clone()
        changed[:, 2] = torch.where(words[:, 2] == 4, 5, 4)
        after = network.decoder(regions, changed)
        torch.testing.assert_close(after[:, :2], before[:, :2])
        assert ((after[:, 2:] - before[:, 2:])[..., 4:].abs().amax(dim=2) > 1e-6).all()
        other = network.decoder(network.encoder(make_regions(seed=1)), words)
    assert ((other - before)[..., 4:].abs().amax(dim=(1, 2)) > 1e-6).all()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_absent_regions_change_nothing(architecture: Architecture) -> None:
    network = make_network(architecture, scale=3)
    words = make_words()
    given = make_regions()
    given.values[~given.mask] = 7.0
    with torch.no_grad():
        disturbed = network.decoder(network.encoder(given), words)
        plain = network.decoder(network.encoder(make_regions()), words)
    torch.testing.assert_close(disturbed, plain)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_rows_do_not_depend_on_each_other(architecture: Architecture) -> None:
    network = make_network(architecture)
    rows = torch.tensor([2, 0, 0])
    words = make_words(1)[0, :1]
    with torch.no_grad():
        state = network.decoder.begin(network.encoder(make_regions()))
        together, _ = network.decoder.step(words.expand(3), state)
        chosen, _ = network.decoder.step(words.expand(3), take_state(state, rows))
    torch.testing.assert_close(chosen, together[rows])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_weight_has_a_gradient_and_dropout_follows_the_generator(architecture: Architecture) -> None:
    network = make_network(architecture, dropout=0.5)
    words = make_words()
    regions = make_regions()

    def compute(seed: int | None) -> torch.Tensor:
        generator = None if seed is None else torch.Generator().manual_seed(seed)
        return network.decoder(network.encoder(regions), words, generator=generator)

    assert torch.equal(compute(0), compute(0))
    assert not torch.equal(compute(0), compute(1))
    assert not torch.equal(compute(0), compute(None))
    compute(None)[..., 4:].sum().backward()
    unused = [name for name, weight in network.decoder.named_parameters() if weight.grad is None]
    assert [name for name in unused if not name.startswith(("posterior", "prior"))] == []


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_weights_follow_the_generator_only(architecture: Architecture) -> None:
    torch.manual_seed(1)
    first = make_network(architecture).state_dict()
    torch.manual_seed(2)
    second = make_network(architecture).state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)
    other = make_network(architecture, seed=1).state_dict()
    assert any(not torch.equal(first[name], other[name]) for name in first)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_bfloat16_changes_little_and_keeps_probabilities_in_single_precision(architecture: Architecture) -> None:
    network = make_network(architecture, scale=2)
    words = make_words()
    with torch.no_grad():
        exact = network.decoder(network.encoder(make_regions()), words)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            regions = network.encoder(make_regions())
            at_once = network.decoder(regions, words)
            stepped, _ = network.decoder.step(words[:, 0], network.decoder.begin(regions))
    assert at_once.dtype == stepped.dtype == torch.float32
    torch.testing.assert_close(at_once.exp().sum(dim=2), torch.ones(3, 6), atol=1e-6, rtol=0)
    torch.testing.assert_close(at_once, exact, atol=0.1, rtol=0.1)
    torch.testing.assert_close(stepped, exact[:, 0], atol=0.1, rtol=0.1)


@pytest.mark.parametrize("architecture", ["lrcn-1u", "att2in"])
def test_networks_on_pixels_learn_where_things_are(architecture: Architecture) -> None:
    settings = NetworkSettings(architecture=architecture, hidden=16, embedding=8, dropout=0.0, channels=(8, 8))
    generator = torch.Generator().manual_seed(0)
    network = build_network(settings, n_words=6, shape=(12, 16), generator=generator)
    pixels = torch.zeros(16, 3, 12, 16)
    for row in range(16):
        pixels[row, :, 2:4, slice(2, 4) if row % 2 else slice(11, 13)] = 1.0
    targets = 4 + torch.arange(16) % 2
    words = torch.full((16, 1), 2)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(60):
        loss = torch.nn.functional.nll_loss(network.decoder(network.encoder(pixels), words)[:, 0], targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.05


def test_settings_are_checked_and_read_from_values_by_name() -> None:
    given = NetworkSettings.of({"architecture": "fc", "channels": [4, 4]})
    assert (given.architecture, given.channels) == ("fc", (4, 4))
    with pytest.raises(CaptionerError, match="networks have no setting 'layers'"):
        NetworkSettings.of({"layers": 2})
    with pytest.raises(CaptionerError, match="`dropout` of a network must be at least 0 and below 1, got 1"):
        NetworkSettings.of({"dropout": 1})
    with pytest.raises(CaptionerError, match="`architecture` of a network must be one of show-and-tell"):
        NetworkSettings.of({"architecture": "gru"})
    with pytest.raises(ValueError, match="either `shape` or `dimension`"):
        build_network(given, n_words=5, generator=torch.Generator())


def test_settings_and_contracts_are_read_without_torch() -> None:
    code = (
        "import sys, captioning.networks.settings, captioning.networks.language_model, captioning.api.decoding\n"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

import itertools

import pytest
import torch

from captioning.networks.cgan import Evaluator, compute_evaluator_loss, make_evaluator
from captioning.networks.encoders import PassedRegions
from captioning.networks.network import EncodedRegions
from captioning.networks.noise import NoiseDecoder
from captioning.networks.targets import gather_words, shift
from captioning.training.adversarial import AdversarialSettings, AdversarialTraining
from tests.captioning.networks.samples import DIMENSION, N_WORDS, make_network, make_regions

torch.set_num_threads(1)


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def make_training(**changes: float) -> AdversarialTraining:
    evaluator = make_evaluator(PassedRegions(DIMENSION, 8), n_words=N_WORDS, embedding=5, hidden=8, generator=seeded(1))
    network = make_network("cgan", dropout=0.0)
    return AdversarialTraining(network, evaluator, settings=AdversarialSettings(**changes))  # type: ignore[arg-type]


def test_the_evaluator_does_not_read_padding() -> None:
    evaluator = make_training().evaluator
    with torch.no_grad():
        padded = evaluator(make_regions(), torch.tensor([[4, 3, 0, 0], [4, 5, 6, 3], [3, 0, 0, 0]]))
        alone = evaluator(make_regions().take(torch.tensor([0])), torch.tensor([[4, 3]]))
    torch.testing.assert_close(padded[:1], alone)


def test_the_loss_of_the_evaluator_is_the_log_likelihood_of_the_three_kinds() -> None:
    logits = torch.tensor([[0.3, -1.0], [2.0, 0.1], [-0.5, 0.7]])
    r = logits.sigmoid()
    expected = -(r[0].log().mean() + 0.5 * (1 - r[1]).log().mean() + 2 * (1 - r[2]).log().mean())
    torch.testing.assert_close(compute_evaluator_loss(*logits, alpha=0.5, beta=2), expected)


def test_the_evaluator_learns_which_caption_fits_which_image() -> None:
    training = make_training()
    ids = torch.tensor([[4, 3], [5, 3], [6, 3]])
    optimizer = torch.optim.Adam(training.evaluator.parameters(), lr=0.02)
    generated = torch.tensor([[7, 3]] * 3)
    for _ in range(100):
        logits = [training.evaluator(make_regions(), each) for each in (ids, generated, ids.roll(1, dims=0))]
        loss = compute_evaluator_loss(*logits)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        assert (training.evaluator(make_regions(), ids) > 1).all()
        assert (training.evaluator(make_regions(), ids.roll(1, dims=0)) < -1).all()
        assert (training.evaluator(make_regions(), generated) < -1).all()


class WordEvaluator(Evaluator):
    """Rewards captions by their first word."""

    def forward(self, images: object, ids: torch.Tensor) -> torch.Tensor:
        return (ids[:, 0] - 5).float()


def test_the_expected_policy_gradient_is_the_gradient_of_the_expected_reward() -> None:
    training = make_training(samples=40, max_words=1)
    training.evaluator = WordEvaluator(PassedRegions(DIMENSION, 8), n_words=N_WORDS, embedding=5, hidden=8)
    decoder = training.decoder
    images = make_regions(1)
    # Captions of one word whose random vector has no effect have an exact expectation.
    with torch.no_grad():
        decoder.image.weight[:, -decoder.noise :] = 0.0
    words = torch.tensor([3, *range(4, N_WORDS)])
    state = decoder.begin(training.network.encoder(images))
    log_probabilities = decoder.step(torch.tensor([2]), state)[0][0, words]
    rewards = torch.sigmoid((words - 5).float())
    # <unk> is never generated: words are drawn in proportion to their probabilities.
    expected_reward = (log_probabilities.softmax(dim=0) * rewards).sum()
    exact = torch.autograd.grad(-expected_reward, decoder.output.bias)[0]
    generator = seeded()
    total = torch.zeros_like(exact)
    for _ in range(300):
        loss, _ = training.compute_generator_loss(images, generator=generator)
        total += torch.autograd.grad(loss, decoder.output.bias)[0]
    assert exact.abs().max() > 0.02
    torch.testing.assert_close(total / 300, exact, atol=0.004, rtol=0.05)


def test_the_generator_learns_what_is_rewarded() -> None:
    training = make_training(samples=8, max_words=2, rate=0.03)
    training.evaluator = WordEvaluator(PassedRegions(DIMENSION, 8), n_words=N_WORDS, embedding=5, hidden=8)
    generator = seeded()
    rewards = []
    for _ in range(60):
        loss, reward = training.compute_generator_loss(make_regions(), generator=generator)
        training.generator_optimizer.zero_grad()
        loss.backward()
        training.generator_optimizer.step()
        rewards.append(reward)
    assert sum(rewards[-5:]) / 5 > max(0.95, rewards[0] + 0.1)


def test_a_step_is_reproducible_and_updates_both() -> None:
    ids = torch.tensor([[4, 3, 0], [5, 6, 3], [3, 0, 0]])
    results = []
    for _ in range(2):
        training = make_training()
        before = [
            weight.clone() for weight in itertools.chain(training.network.parameters(), training.evaluator.parameters())
        ]
        generator = seeded()
        steps = [training.step(make_regions(), ids, generator=generator) for _ in range(2)]
        after = list(itertools.chain(training.network.parameters(), training.evaluator.parameters()))
        assert all(not torch.equal(old, new) for old, new in zip(before, after, strict=True))
        results.append((steps, [weight.detach().clone() for weight in after]))
    assert results[0][0] == results[1][0]
    assert all(torch.equal(first, second) for first, second in zip(results[0][1], results[1][1], strict=True))
    assert 0 < results[0][0][0].reward < 1


class RecordingEvaluator(Evaluator):
    """Keeps the captions that it reads."""

    def forward(self, images: EncodedRegions, ids: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        self.read = [*getattr(self, "read", []), (images.mask.sum(dim=1).tolist(), ids.tolist())]
        return super().forward(images, ids)


def test_the_evaluator_reads_no_human_caption_that_the_generator_cannot_write() -> None:
    training = make_training(max_words=2)
    training.evaluator = RecordingEvaluator(PassedRegions(DIMENSION, 8), n_words=N_WORDS, embedding=5, hidden=8)
    images = make_regions(4)
    numbers = images.mask.sum(dim=1).tolist()
    ids = torch.tensor([[4, 5, 3, 0], [4, 1, 3, 0], [4, 5, 6, 3], [7, 3, 0, 0]])
    training.step(images, ids, generator=seeded())
    human, generated, mismatched, _ = training.evaluator.read
    kept = [numbers[0], numbers[3]]
    assert human == (kept, [[4, 5, 3, 0], [7, 3, 0, 0]])
    assert (generated[0], len(generated[1])) == (kept, 2)
    assert mismatched == (kept, [[7, 3, 0, 0], [4, 5, 3, 0]])
    with pytest.raises(ValueError, match=r"at least 2 human captions .* at most 2 words, got 1 in a batch of 3"):
        training.step(make_regions(3), ids[:3], generator=seeded())


def test_only_generators_that_read_noise_are_trained() -> None:
    evaluator = make_training().evaluator
    with pytest.raises(TypeError, match="needs a NoiseDecoder, got LstmDecoder"):
        AdversarialTraining(make_network("lrcn-1u"), evaluator)
    with pytest.raises(ValueError, match="`samples` must be at least 2, got 1"):
        AdversarialSettings(samples=1)


def test_noise_changes_the_caption() -> None:
    network = make_network("cgan", scale=3)
    assert isinstance(network.decoder, NoiseDecoder)
    ids = torch.tensor([[4, 5, 3]] * 3)
    with torch.no_grad():
        regions = network.encoder(make_regions())
        noise = network.decoder.draw_noise(regions, deviations=[1.0, 1.0], generator=seeded())
        scores = [
            gather_words(network.decoder.read(shift(ids), network.decoder.begin_with_noise(regions, each)), ids)
            for each in noise.unbind(dim=1)
        ]
    assert ((scores[0] - scores[1]).abs().sum(dim=1) > 1e-3).all()

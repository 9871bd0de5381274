"""Adversarial training of a generator of captions and its evaluator (Dai et al. 2017), one step at a time."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from captioning.api.decoding import Decoding
from captioning.decoding.decode import decode
from captioning.networks.cgan import Evaluator, compute_evaluator_loss
from captioning.networks.network import CaptionNetwork, EncodedRegions
from captioning.networks.noise import NoiseDecoder
from captioning.networks.targets import gather_words, shift
from metrics_plugins.text.vocabulary import END, PAD, UNKNOWN

_ALMOST_ONE = 1 - 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversarialSettings:
    """The settings of adversarial training.

    Attributes:
        alpha, beta: As for `compute_evaluator_loss`.
        samples: The captions of each image that the generator is rewarded for; at least 2, because the baseline of one
            is the mean reward of the others.
        max_words: The maximum number of words of a generated caption.
        rate: Adam's learning rate, of both networks.
        clip: The maximum norm of each gradient; 0 for no limit.

    Raises:
        ValueError: `samples` is below 2.
    """

    alpha: float = 1.0
    beta: float = 1.0
    samples: int = 2
    max_words: int = 16
    rate: float = 1e-4
    clip: float = 5.0

    def __post_init__(self) -> None:
        if self.samples < 2:
            raise ValueError(f"`samples` must be at least 2, got {self.samples!r}")


@dataclass(frozen=True, slots=True)
class AdversarialStep:
    """What one step gives.

    Attributes:
        evaluator_loss: The loss of the evaluator.
        reward: The mean reward of the generator, in [0, 1].
        norm: The larger norm of both gradients, before clipping.
    """

    evaluator_loss: float
    reward: float
    norm: float


class AdversarialTraining:
    """Trains a generator, which should have learned by cross entropy before, against an evaluator.

    The reward of a caption is the evaluator's probability. It is given to all words of the caption: unlike in the
    paper, there are no rollouts of prefixes.
    """

    def __init__(
        self, network: CaptionNetwork, evaluator: Evaluator, *, settings: AdversarialSettings | None = None
    ) -> None:
        """Take a network with a `NoiseDecoder` and its evaluator.

        Raises:
            TypeError: The decoder reads no random vector.
        """
        if not isinstance(network.decoder, NoiseDecoder):
            raise TypeError(f"adversarial training needs a NoiseDecoder, got {type(network.decoder).__name__}")
        self.network = network
        self.decoder = network.decoder
        self.evaluator = evaluator
        self.settings = settings or AdversarialSettings()
        self.generator_optimizer = torch.optim.Adam(network.parameters(), lr=self.settings.rate)
        self.evaluator_optimizer = torch.optim.Adam(evaluator.parameters(), lr=self.settings.rate)

    def step(self, images: Tensor | EncodedRegions, ids: Tensor, *, generator: torch.Generator) -> AdversarialStep:
        """Update evaluator and generator once, with one human caption of each image.

        The evaluator reads only the images whose human captions the generator could have written: those without unknown
        words, and with at most `max_words` words. Otherwise it could tell human captions by their unknown words, or by
        their length.

        Args:
            images: As the encoders read them; at least 2, all different.
            ids: `(n, n_steps)`: words and `<eos>`, padded with `<pad>`.
            generator: The only source of randomness, on the CPU.

        Raises:
            ValueError: Fewer than 2 of the captions can be read by the evaluator.
        """
        rows = self._find_writable(ids)
        if len(rows) < 2:
            raise ValueError(
                f"a step needs at least 2 human captions without unknown words and of at most "
                f"{self.settings.max_words} words, got {len(rows)} in a batch of {len(ids)}"
            )
        with torch.no_grad():
            generated = self.sample(images, generator=generator)[1][:, 0]
        read, human = _take(images, rows), ids[rows]
        loss = compute_evaluator_loss(
            self.evaluator(read, human),
            self.evaluator(read, generated[rows]),
            self.evaluator(read, human.roll(1, dims=0)),
            alpha=self.settings.alpha,
            beta=self.settings.beta,
        )
        norm = self._update(self.evaluator, self.evaluator_optimizer, loss)
        policy_loss, reward = self.compute_generator_loss(images, generator=generator)
        policy_norm = self._update(self.network, self.generator_optimizer, policy_loss)
        return AdversarialStep(float(loss.detach()), reward, max(norm, policy_norm))

    def sample(
        self, images: Tensor | EncodedRegions, *, generator: torch.Generator
    ) -> tuple[EncodedRegions, Tensor, Tensor]:
        """Return the encoded images, sampled captions `(n_images, samples, n_steps)` and their random vectors."""
        samples = self.settings.samples
        regions = self.network.encoder(images)
        repeated = regions.take(
            torch.arange(len(regions.values), device=regions.values.device).repeat_interleave(samples)
        )
        noise = self.decoder.draw_noise(regions, deviations=[1.0] * samples, generator=generator)
        decoding = Decoding(method="sample", max_words=self.settings.max_words)
        with torch.no_grad():
            state = self.decoder.begin_with_noise(repeated, noise.flatten(0, 1))
            decoded = decode(self.decoder, state, decoding=decoding, generator=generator)
        return repeated, decoded.ids.view(-1, samples, decoded.ids.shape[2]), noise

    def compute_generator_loss(
        self, images: Tensor | EncodedRegions, *, generator: torch.Generator
    ) -> tuple[Tensor, float]:
        """Return a loss whose gradient is the policy gradient, negated, and the mean reward."""
        samples = self.settings.samples
        repeated, ids, noise = self.sample(images, generator=generator)
        flat = ids.flatten(0, 1)
        with torch.no_grad():
            rows = torch.arange(len(ids), device=ids.device).repeat_interleave(samples)
            rewards = torch.sigmoid(self.evaluator(_take(images, rows), flat)).view(ids.shape[:2])
        baselines = (rewards.sum(dim=1, keepdim=True) - rewards) / (samples - 1)
        state = self.decoder.begin_with_noise(repeated, noise.flatten(0, 1))
        given = self.decoder.read(shift(flat), state)
        # The unknown word is never drawn, so the others share its probability. An end that was forced by the length was
        # not drawn either.
        others = torch.log1p(-given[:, :, UNKNOWN].exp().clamp(max=_ALMOST_ONE))
        not_drawn = flat == PAD
        not_drawn[:, self.settings.max_words] = True
        words = (gather_words(given, flat) - others).masked_fill(not_drawn, 0.0)
        return -((rewards - baselines).flatten() * words.sum(dim=1)).mean(), float(rewards.mean())

    def _find_writable(self, ids: Tensor) -> Tensor:
        n_words = ((ids != PAD) & (ids != END)).sum(dim=1)
        return ((ids != UNKNOWN).all(dim=1) & (n_words <= self.settings.max_words)).nonzero()[:, 0]

    def _update(self, network: torch.nn.Module, optimizer: torch.optim.Optimizer, loss: Tensor) -> float:
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # PyTorch declares no types here
        norm = torch.nn.utils.clip_grad_norm_(network.parameters(), self.settings.clip or math.inf)
        optimizer.step()
        return norm.item()


def _take(images: Tensor | EncodedRegions, rows: Tensor) -> Tensor | EncodedRegions:
    return images[rows] if isinstance(images, Tensor) else images.take(rows)

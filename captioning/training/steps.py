"""What a step of training computes its loss from: human captions, or sampled captions with their weights."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from captioning.api.captioned import CaptionedImages
from captioning.api.images import ImageInput
from captioning.decoding.greedy import decode_greedily
from captioning.decoding.sampling import sample_captions
from captioning.networks.network import CaptionNetwork, EncodedRegions
from captioning.networks.tensors import move_images
from captioning.training.losses import drop_forced_ends, join
from captioning.training.objectives import OBJECTIVES, ObjectiveTerms, RatedSamples
from captioning.training.order import REFERENCE, Draws, Int64
from captioning.training.rewards import (
    CiderReward,
    Reward,
    SampledCaptions,
    SummedReward,
    TruthReward,
    count_frequencies,
    measure_kernels,
    rate_safely,
)
from captioning.training.settings import TrainingSettings
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies
from metrics_plugins.text.vocabulary import PAD, EncodedCaptions, Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """The arguments of `WeightedLoss`, and what the curve shows.

    Attributes:
        images, rows, ids, weights, is_sampled: As for `WeightedLoss.forward`.
        scale: The factor from the loss to the loss of a word.
        reward: The mean reward of sampled captions; None without any.
    """

    images: Tensor | EncodedRegions
    rows: Tensor
    ids: Tensor
    weights: Tensor
    is_sampled: Tensor
    scale: float = 1.0
    reward: float | None = None


class CrossEntropySteps:
    """Steps of cross entropy: the loss is the mean over captions of -log p, summed over words (equation 7)."""

    def __init__(
        self, data: CaptionedImages, inputs: ImageInput, vocabulary: Vocabulary, settings: TrainingSettings
    ) -> None:
        self.data, self.inputs = data, inputs
        lines = [line for lines in data.captions for line in lines]
        sizes = [len(lines) for lines in data.captions]
        self.images: Int64 = np.repeat(np.arange(len(data)), sizes)
        self.firsts: Int64 = np.cumsum([0, *sizes])
        self.captions = vocabulary.encode(lines, steps=settings.max_words + 1, long="cut")

    def __len__(self) -> int:
        return len(self.captions)

    def count_frequencies(self) -> DocumentFrequencies:
        """Return the document frequencies of the training captions."""
        return count_frequencies(self.data.captions)

    def encode(self, captions: Int64) -> Tensor:
        """Return `(n, n_steps)`: the word numbers of captions, given by number."""
        return torch.from_numpy(self._take(captions).ids)

    def draw_captions(self, rows: Int64, *, step: int, draws: Draws) -> Int64:
        """Return `(n,)`: the number of a random caption of each image, which depends on seed, step and image only."""
        numbers = draws.make_rng(REFERENCE, step).random(len(self.firsts))[rows]
        firsts = self.firsts[rows]
        return firsts + (numbers * (self.firsts[rows + 1] - firsts)).astype(np.int64)

    def prepare(self, captions: Int64, *, device: torch.device) -> Prepared:
        """Return the step of these captions."""
        n = len(captions)
        ids = self.encode(captions)
        return Prepared(
            images=move_images(self.data.images.select(self.images[captions]), inputs=self.inputs, device=device),
            rows=torch.arange(n, device=device),
            ids=ids.to(device),
            weights=torch.full((n,), 1 / n, device=device),
            is_sampled=torch.zeros(n, dtype=torch.bool, device=device),
            scale=n / float((ids != PAD).sum()),
        )

    def _take(self, captions: Int64) -> EncodedCaptions:
        return self.captions.take(captions).trim()


@dataclass(frozen=True, slots=True, eq=False)
class PolicySteps:
    """Steps of an objective with rewards.

    Captions are sampled from the network without dropout, and the loss is computed without dropout as well, so that the
    distribution that is sampled from is the one that is changed. With `bf16`, both are computed with bfloat16; one step
    at a time and all steps at once then differ by more than the rounding of float32.

    Attributes:
        human: The training captions, for objectives with cross entropy.
        reward: The accuracy of captions.
        documents: The document frequencies of the training captions, for the similarity of samples.
        terms: The objective.
        vocabulary: Words by number.
        settings: The settings of the training.
        draws: The source of the human captions of a step.
    """

    human: CrossEntropySteps
    reward: Reward
    documents: DocumentFrequencies
    terms: ObjectiveTerms
    vocabulary: Vocabulary
    settings: TrainingSettings
    draws: Draws

    @classmethod
    def make(
        cls,
        human: CrossEntropySteps,
        vocabulary: Vocabulary,
        settings: TrainingSettings,
        draws: Draws,
        *,
        retrieval: Reward | None = None,
    ) -> "PolicySteps":
        """Return the steps of the objective of the settings.

        Args:
            human: The training captions.
            vocabulary: Words by number.
            settings: With an objective other than `xe`.
            draws: The source of the human captions of a step.
            retrieval: The retrieval reward, if the settings name it.

        Raises:
            CaptionerError: The reward is truth, and the worlds are not known.
        """
        return cls(
            human=human,
            reward=_make_reward(human.data, settings, retrieval),
            documents=human.count_frequencies(),
            terms=OBJECTIVES[settings.objective],
            vocabulary=vocabulary,
            settings=settings,
            draws=draws,
        )

    def prepare(
        self,
        network: CaptionNetwork,
        rows: Int64,
        *,
        step: int,
        generator: torch.Generator,
        device: torch.device,
    ) -> Prepared:
        """Return the step of these images.

        Raises:
            CaptionerError: The network gives NaN, or a reward is not finite.
        """
        n, m = len(rows), self.settings.n_samples
        images = move_images(self.human.data.images.select(rows), inputs=self.human.inputs, device=device)
        lines, is_complete, ids = self._sample(network, images, generator, device)
        rated = rate_safely(self.reward, SampledCaptions(rows, lines, is_complete))
        accuracies = rated[:, :m]
        baselines = rated[:, m] if self.terms.has_baseline else np.zeros(n)
        kernels = np.zeros((n, m, m))
        if self.terms.has_kernels:
            samples = SampledCaptions(rows, tuple(row[:m] for row in lines), is_complete[:, :m])
            kernels = measure_kernels(samples, self.documents)
        weights = self.terms.weigh(RatedSamples(accuracies, baselines, kernels), self.settings) / (n * m)
        image_of_sample = torch.arange(n, device=device).repeat_interleave(m)
        prepared = Prepared(
            images=images,
            rows=image_of_sample,
            ids=ids,
            weights=torch.from_numpy(weights.astype(np.float32).ravel()).to(device),
            is_sampled=torch.ones(n * m, dtype=torch.bool, device=device),
            reward=float(accuracies.mean()),
        )
        return self._add_human(prepared, rows, step=step) if self.terms.has_cross_entropy else prepared

    def _sample(
        self,
        network: CaptionNetwork,
        images: Tensor | EncodedRegions,
        generator: torch.Generator,
        device: torch.device,
    ) -> tuple[tuple[tuple[str, ...], ...], np.ndarray, Tensor]:
        """Return the lines of m samples and, where there is a baseline, the greedy caption; and the samples' words."""
        m, longest = self.settings.n_samples, self.settings.max_words
        autocast = torch.autocast(device.type, dtype=torch.bfloat16, enabled=self.settings.bf16)
        with torch.no_grad(), autocast:
            state = network.decoder.begin(network.encoder(images))
            drawn = sample_captions(network.decoder, state, n=m, max_words=longest, generator=generator)
            parts = [drawn]
            if self.terms.has_baseline:
                parts.append(decode_greedily(network.decoder, state, max_words=longest))
        written = [each.write(self.vocabulary) for each in parts]
        lines = tuple(tuple(line for part in row for line in part) for row in zip(*written, strict=True))
        is_complete = torch.cat([~each.is_cut for each in parts], dim=1).cpu().numpy()
        return lines, is_complete, drop_forced_ends(drawn)

    def _add_human(self, prepared: Prepared, rows: Int64, *, step: int) -> Prepared:
        """Add a random human caption of each image, of weight 1/n (equation 11)."""
        n, device = len(rows), prepared.ids.device
        ids = self.human.encode(self.human.draw_captions(rows, step=step, draws=self.draws)).to(device)
        return Prepared(
            images=prepared.images,
            rows=torch.cat([prepared.rows, torch.arange(n, device=device)]),
            ids=join(prepared.ids, ids),
            weights=torch.cat([prepared.weights, torch.full((n,), 1 / n, device=device)]),
            is_sampled=torch.cat([prepared.is_sampled, torch.zeros(n, dtype=torch.bool, device=device)]),
            reward=prepared.reward,
        )


def _make_reward(data: CaptionedImages, settings: TrainingSettings, retrieval: Reward | None) -> Reward:
    if settings.reward == "truth":
        return TruthReward.fit(data)
    if settings.reward == "retrieval":
        assert retrieval is not None  # noqa: S101  # the loop trains it
        return retrieval
    cider = CiderReward.fit(data, counts_end=settings.reward_end)
    if settings.reward == "cider":
        return cider
    assert retrieval is not None  # noqa: S101  # the loop trains it
    return SummedReward(cider, retrieval, settings.zeta)

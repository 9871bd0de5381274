"""Validation: the loss of human captions, and metrics of greedy and of sampled captions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from captioning.api.captioned import CaptionedImages
from captioning.api.images import ImageInput
from captioning.decoding.decoded import DecodedCaptions
from captioning.decoding.greedy import decode_greedily
from captioning.decoding.sampling import sample_captions
from captioning.decoding.scoring import score_words
from captioning.networks.network import CaptionNetwork
from captioning.networks.tensors import move_images
from captioning.training.order import VALIDATION, Draws
from captioning.training.rewards import TOKENIZER, Floats, make_cider_d, require_worlds
from captioning.training.settings import TrainingSettings
from execution.whole_files import write_whole
from metrics_plugins.api import Batch
from metrics_plugins.metrics.diversity.self_cider import FittedSelfCider
from metrics_plugins.metrics.grounded.gtd import GtdDiversity, GtdGrammatical, GtdTruthful
from metrics_plugins.metrics.ngram.bleu import Bleu4
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies
from metrics_plugins.text.vocabulary import PAD, Vocabulary

_IMAGES_PER_BATCH = 256


@dataclass(frozen=True, slots=True, eq=False)
class Validator:
    """Measures a network on validation images.

    Attributes:
        data: The images.
        inputs: What the encoder reads.
        vocabulary: Words by number.
        documents: The document frequencies of the training captions.
        settings: The settings of the training.
        draws: The source of samples, which are drawn with the same random numbers at each validation.
    """

    data: CaptionedImages
    inputs: ImageInput
    vocabulary: Vocabulary
    documents: DocumentFrequencies
    settings: TrainingSettings
    draws: Draws

    @torch.no_grad()
    def measure(
        self, network: CaptionNetwork, device: torch.device, *, keep: Path | None = None
    ) -> dict[str, float | None]:
        """Return measures by name; with `keep`, write the greedy captions to this file, in COCO's format for results.

        `loss`: the mean over words and ends of the negative log-probability of human captions, in nats. `cider`,
        `bleu_4`: CIDEr-D (within [0, 10]) and BLEU-4 of greedy captions. `truth`, `grammar`, `diversity`: shares of
        greedy captions that are true and grammatical, and the diversity ratio, where worlds are known, else None.
        `sample_cider`, `self_cider`, `sample_truth`: the mean CIDEr-D of sampled captions, their Self-CIDEr (mean over
        images, those without a value left out) and the share of true ones; None without samples.
        """
        generator = torch.Generator().manual_seed(self.draws.make_seed(VALIDATION))
        loss = n_words = 0.0
        greedy: list[str] = []
        sampled: list[tuple[str, ...]] = []
        for start in range(0, len(self.data), _IMAGES_PER_BATCH):
            part = self.data.select(range(start, min(start + _IMAGES_PER_BATCH, len(self.data))))
            regions = network.encoder(move_images(part.images, inputs=self.inputs, device=device))
            lines = [line for lines in part.captions for line in lines]
            rows = np.repeat(np.arange(len(part)), [len(lines) for lines in part.captions])
            steps = self.settings.max_words + 1
            ids = torch.from_numpy(self.vocabulary.encode(lines, steps=steps, long="cut").trim().ids).to(device)
            for first in range(0, len(lines), _IMAGES_PER_BATCH):
                block = torch.arange(first, min(first + _IMAGES_PER_BATCH, len(lines)))
                images = regions.take(torch.from_numpy(rows)[block].to(device))
                loss -= float(score_words(network.decoder, images, ids[block.to(device)]).double().sum())
            n_words += float((ids != PAD).sum())
            state = network.decoder.begin(regions)
            found = decode_greedily(network.decoder, state, max_words=self.settings.max_words)
            greedy += [row[0] for row in found.write(self.vocabulary)]
            if self.settings.validation_samples:
                drawn = self._sample(network, state, generator)
                sampled += drawn.write(self.vocabulary)
        if keep is not None:
            records = [
                {"image_id": key, "caption": line} for key, line in zip(self.data.images.keys, greedy, strict=True)
            ]
            write_whole(keep, json.dumps(records, indent=0).encode())
        measures = {"loss": loss / n_words, **self._rate_greedy(greedy), **self._rate_samples(sampled)}
        return {name: _keep_finite(value) for name, value in measures.items()}

    def _sample(
        self, network: CaptionNetwork, state: tuple[torch.Tensor, ...], generator: torch.Generator
    ) -> DecodedCaptions:
        return sample_captions(
            network.decoder,
            state,
            n=self.settings.validation_samples,
            max_words=self.settings.max_words,
            generator=generator,
        )

    def _rate_greedy(self, lines: Sequence[str]) -> dict[str, float]:
        data = self.data
        batch = Batch.make(data.images.keys, candidates=lines, references=data.captions, worlds=data.worlds)
        bleu = Bleu4(tokenizer=TOKENIZER)
        rated = {
            "cider": _mean(make_cider_d(self.documents).score(batch).values),
            "bleu_4": bleu.reduce_corpus(bleu.statistics(batch)),
        }
        if data.worlds is not None:
            require_worlds(data)
            rated["truth"] = _mean(GtdTruthful(over="all").score(batch).values)
            rated["grammar"] = _mean(GtdGrammatical().score(batch).values)
            rated["diversity"] = _mean(GtdDiversity(references="all").score(batch).values)
        return rated

    def _rate_samples(self, sampled: Sequence[tuple[str, ...]]) -> dict[str, float]:
        if not sampled:
            return {}
        data, m = self.data, self.settings.validation_samples
        lines = [line for row in sampled for line in row]
        worlds = None if data.worlds is None else [world for world in data.worlds for _ in range(m)]
        references = [each for each in data.captions for _ in range(m)]
        batch = Batch.make(map(str, range(len(lines))), candidates=lines, references=references, worlds=worlds)
        sets = Batch.make(data.images.keys, caption_sets=sampled)
        self_cider = FittedSelfCider(tokenizer=TOKENIZER, documents=self.documents).score(sets).values
        rated = {
            "sample_cider": _mean(make_cider_d(self.documents).score(batch).values),
            "self_cider": _mean(self_cider),
        }
        if worlds is not None:
            rated["sample_truth"] = _mean(GtdTruthful(over="all").score(batch).values)
        return rated


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _keep_finite(value: float) -> float | None:
    return value if np.isfinite(value) else None

"""Captioners with a trained network; torch is imported when one is trained or read."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import numpy as np

from captioning.api import (
    BadCaptions,
    BuildContext,
    CaptionBatch,
    CaptionedImages,
    CaptionerError,
    CaptionerInfo,
    CaptionScores,
    Decoding,
    ImageInput,
    Images,
    TrainableCaptioner,
)
from captioning.captioners.folders import TrainedNetwork
from captioning.captioners.training_data import choose_inputs, describe_sizes, measure_images
from captioning.networks.settings import Architecture
from captioning.training.settings import Objective, TrainingSettings
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.encoders.full_precision import hold_full_precision
from metrics_plugins.text.vocabulary import UNKNOWN

if TYPE_CHECKING:
    from captioning.networks.network import CaptionNetwork

_IMAGES_PER_BATCH = 128

_REWARDS: Final[Mapping[Objective, str]] = {"xe": "none", "adversarial": "evaluator"}
"""What is rewarded by objectives whose reward is no setting."""


class NeuralCaptioner(TrainableCaptioner):
    """An encoder and a decoder, trained by `captioning.training`; subclasses name the architecture.

    It reads features if the training images have them, else pixels.
    """

    architecture: ClassVar[Architecture]

    def __init__(self, trained: TrainedNetwork, *, device: str) -> None:
        self.trained = trained
        self.device = device
        self.inputs = ImageInput.PIXELS if trained.dimension is None else ImageInput.FEATURES
        # The class reads either column; an instance only the one it was trained on.
        self.info = replace(type(self).info, inputs=frozenset({self.inputs}))  # type: ignore[misc]
        self._made: CaptionNetwork | None = None

    @classmethod
    def build(cls, context: BuildContext, *, folder: Path | None = None) -> Self:
        """Return the captioner that was trained in a folder.

        Raises:
            BadCheckpoint: The folder holds no such captioner.
            CaptionerError: There is no folder.
        """
        if folder is None:
            raise CaptionerError(f"captioner {cls.info.id!r} must be trained first: give the folder of its training")
        return cls(TrainedNetwork.read(folder, architecture=cls.architecture), device=context.device)

    @classmethod
    def complete_settings(cls, settings: Mapping[str, object]) -> Mapping[str, object]:
        """As `TrainableCaptioner.complete_settings`, without `start`: its folder may move, and `fit` compares it."""
        completed = TrainingSettings.of(settings).to_json()
        return {name: value for name, value in completed.items() if name != "start"}

    @classmethod
    def train(
        cls,
        data: CaptionedImages,
        validation: CaptionedImages,
        *,
        folder: Path,
        rng: np.random.Generator,
        context: BuildContext,
        settings: Mapping[str, object],
        track: Track = pass_on,
    ) -> Self:
        """As `TrainableCaptioner.train`; `settings` are those of `TrainingSettings`.

        The folder then has `captioner.json`, `weights.safetensors`, `curve.jsonl`, `curve.svg` and `index.html`, a page
        that shows the curve while training runs.
        """
        from captioning.captioners.fitting import fit

        chosen = TrainingSettings.of(settings)
        trained = fit(
            cls.architecture,
            data,
            validation,
            inputs=choose_inputs(data.images, reader=f"captioner {cls.info.id!r}"),
            folder=folder,
            seed=int(rng.integers(2**63)),
            device=context.device,
            settings=chosen,
            title=cls.info.title,
            track=track,
        )
        return cls(trained, device=context.device)

    def describe(self) -> Mapping[str, str | int | float | bool]:
        """Return the sizes of the network, the objective, and the hash of the training data."""
        settings = self.trained.settings
        return {
            "hidden": settings.hidden,
            "embedding": settings.embedding,
            "objective": settings.objective,
            "reward": _REWARDS.get(settings.objective, settings.reward),
            "data": str(self.trained.made_of.get("data", "")),
            "seed": int(self.trained.made_of.get("seed", 0)),
        }

    @property
    def default_decoding(self) -> Decoding:
        """Greedy, with as many words at most as in training."""
        return Decoding(max_words=self.trained.settings.max_words)

    def caption(
        self, images: Images, *, n: int = 1, decoding: Decoding | None = None, rng: np.random.Generator
    ) -> CaptionBatch:
        """As `Captioner.caption`.

        Raises:
            BadCaptions: The network gave a log-probability that is not finite; the message names the image.
        """
        import torch

        from captioning.decoding.decode import decode

        chosen = decoding or self.default_decoding
        generator = torch.Generator().manual_seed(int(rng.integers(2**63)))
        network = self.network
        captions: list[tuple[str, ...]] = []
        scores: list[np.ndarray] = []
        for start in range(0, len(images), _IMAGES_PER_BATCH):
            part = images.select(range(start, min(start + _IMAGES_PER_BATCH, len(images))))
            with torch.no_grad(), hold_full_precision(self.device):
                state = network.decoder.begin(network.encoder(self._move(part)))
                decoded = decode(network.decoder, state, n=n, decoding=chosen, generator=generator)
            captions += decoded.write(self.trained.vocabulary)
            scores.append(decoded.log_probabilities.numpy())
        log_probabilities = np.concatenate(scores) if scores else np.zeros((0, n))
        self._require_finite(images, log_probabilities)
        return CaptionBatch(images.keys, tuple(captions), log_probabilities)

    def score(self, images: Images, captions: Sequence[str]) -> CaptionScores:
        """As `Captioner.score`."""
        import torch

        from captioning.decoding.scoring import score_captions
        from captioning.networks.targets import encode_captions

        if len(images) != len(captions):
            raise CaptionerError(
                f"captioner {self.info.id!r} scores one caption for each image, got {len(captions)} captions and "
                f"{len(images)} images"
            )
        network = self.network
        scores, n_unknown = np.zeros(len(captions)), np.zeros(len(captions), dtype=np.int64)
        for start in range(0, len(captions), _IMAGES_PER_BATCH):
            rows = range(start, min(start + _IMAGES_PER_BATCH, len(captions)))
            ids = encode_captions([captions[row] for row in rows], self.trained.vocabulary)
            n_unknown[rows.start : rows.stop] = (ids == UNKNOWN).sum(dim=1).numpy()
            # Otherwise steps one by one and all at once would round differently on a GPU.
            with torch.no_grad(), hold_full_precision(self.device):
                regions = network.encoder(self._move(images.select(rows)))
                scores[rows.start : rows.stop] = score_captions(network.decoder, regions, ids.to(self.device)).numpy()
        self._require_finite(images, scores[:, None])
        n_steps = np.array([len(line.split()) + 1 for line in captions], dtype=np.int64)
        return CaptionScores(scores, n_steps, n_unknown)

    def _move(self, images: Images) -> Any:
        from captioning.networks.tensors import move_images

        trained = self.trained
        inputs = self.inputs
        images.require(frozenset({inputs}), reader=f"captioner {self.info.id!r} as it was trained")
        found, wanted = measure_images(images, inputs), (trained.shape, trained.dimension)
        if found != wanted:
            raise CaptionerError(
                f"captioner {self.info.id!r} was trained on {describe_sizes(*wanted)}, but these images have "
                f"{describe_sizes(*found)}"
            )
        return move_images(images, inputs=inputs, device=self.device)

    @property
    def network(self) -> "CaptionNetwork":
        """The trained network on the device, loaded once."""
        if self._made is None:
            from captioning.captioners.fitting import load_network

            self._made = load_network(self.trained, device=self.device)
        return self._made

    def _require_finite(self, images: Images, log_probabilities: np.ndarray) -> None:
        wrong = np.argwhere(~np.isfinite(log_probabilities))
        if len(wrong):
            row, column = wrong[0].tolist()
            raise BadCaptions(
                f"captioner {self.info.id!r}, image {images.keys[row]!r}: the log-probability of caption {column + 1} "
                f"must be finite, got {log_probabilities[row, column]}"
            )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": None}


def _declare(captioner_id: str, title: str, citation: str) -> CaptionerInfo:
    return CaptionerInfo(
        id=captioner_id,
        title=title,
        inputs=frozenset(),
        version="1",
        citation=citation,
        is_random=True,
        can_score=True,
    )


class ShowAndTellCaptioner(NeuralCaptioner):
    """The image is the first input of an LSTM, once."""

    info = _declare("show-and-tell", "Show and Tell (NIC)", "Vinyals et al. (2015), Show and tell")
    architecture = "show-and-tell"


class LrcnCaptioner(NeuralCaptioner):
    """The image is an input of an LSTM at every step."""

    info = _declare("lrcn-1u", "LRCN-1u", "Donahue et al. (2015), Long-term recurrent convolutional networks")
    architecture = "lrcn-1u"


class FcCaptioner(NeuralCaptioner):
    """The FC model of self-critical training."""

    info = _declare("fc", "FC", "Rennie et al. (2017), Self-critical sequence training for image captioning")
    architecture = "fc"


class Att2inCaptioner(NeuralCaptioner):
    """The Att2in model of self-critical training, which attends to regions."""

    info = _declare("att2in", "Att2in", "Rennie et al. (2017), Self-critical sequence training for image captioning")
    architecture = "att2in"


class AdaptiveCaptioner(NeuralCaptioner):
    """Attention to regions or to a visual sentinel."""

    info = _declare("adaptive-attention", "Adaptive attention", "Lu et al. (2017), Knowing when to look")
    architecture = "adaptive"


class CvaeCaptioner(NeuralCaptioner):
    """A conditional variational auto-encoder; captions and scores are those of the most probable random vector."""

    info = _declare("cvae", "CVAE", "Wang, Schwing and Lazebnik (2017), Diverse and accurate image description")
    architecture = "cvae"


class GmmCvaeCaptioner(NeuralCaptioner):
    """As `CvaeCaptioner`, with a mixture as the prior of the random vector."""

    info = _declare("gmm-cvae", "GMM-CVAE", "Wang, Schwing and Lazebnik (2017), Diverse and accurate image description")
    architecture = "gmm-cvae"


class CganCaptioner(NeuralCaptioner):
    """The generator of a conditional adversarial network; captions and scores are those of the random vector 0.

    By the objective `adversarial` it learns to deceive an evaluator, which learns to tell its captions from people's.
    """

    info = _declare("cgan", "Conditional GAN", "Dai et al. (2017), Towards diverse and natural image descriptions")
    architecture = "cgan"


NEURAL_CAPTIONERS: tuple[type[NeuralCaptioner], ...] = (
    ShowAndTellCaptioner,
    LrcnCaptioner,
    FcCaptioner,
    Att2inCaptioner,
    AdaptiveCaptioner,
    CvaeCaptioner,
    GmmCvaeCaptioner,
    CganCaptioner,
)

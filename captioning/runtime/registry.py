"""The registry of captioners of the loaded plugins."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from captioning.api import Captioner, CaptionerError, CaptionerInfo, TrainableCaptioner, UnknownCaptioner
from metrics_plugins.runtime.registry import RefusedPlugin, explain_unknown


@dataclass(frozen=True, slots=True)
class RegisteredCaptioner:
    """A captioner class and its origin.

    Attributes:
        captioner_class: The class on which `build` is called.
        plugin: The name of the entry point or of the plugin module.
        distribution: The installed package with its version, "" for a plugin passed as an argument.
    """

    captioner_class: type[Captioner]
    plugin: str
    distribution: str

    @property
    def info(self) -> CaptionerInfo:
        return self.captioner_class.info

    @property
    def is_trainable(self) -> bool:
        """Whether it learns from captions, and is then read from a folder."""
        return issubclass(self.captioner_class, TrainableCaptioner)

    @property
    def needs_training(self) -> bool:
        """Whether it is only built from the folder of a training."""
        return issubclass(self.captioner_class, TrainableCaptioner) and self.captioner_class.needs_training


@dataclass(frozen=True, slots=True)
class CaptionerContext:
    """What is available to a captioner while it is built."""

    device: str = "cpu"


class CaptionerRegistry:
    """The captioners of the loaded plugins, sorted by id, and the refused plugins."""

    def __init__(
        self, captioners: Mapping[str, RegisteredCaptioner], *, refused: tuple[RefusedPlugin, ...] = ()
    ) -> None:
        self.captioners: Mapping[str, RegisteredCaptioner] = MappingProxyType(dict(sorted(captioners.items())))
        self.refused = refused

    def __iter__(self) -> Iterator[RegisteredCaptioner]:
        return iter(self.captioners.values())

    def __len__(self) -> int:
        return len(self.captioners)

    def get(self, captioner_id: str) -> RegisteredCaptioner:
        """Return the registration of a captioner.

        Raises:
            UnknownCaptioner: The id is unknown; the message has the nearest ids and the refused plugins.
        """
        if captioner_id in self.captioners:
            return self.captioners[captioner_id]
        raise UnknownCaptioner(
            explain_unknown(captioner_id, known=self.captioners, refused=self.refused, what="captioner")
        )

    def build(
        self, captioner_id: str, *, device: str = "cpu", folder: Path | None = None, **params: object
    ) -> Captioner:
        """Return a new instance of a captioner.

        Args:
            captioner_id: The id.
            device: The device of tensors.
            folder: The folder of a captioner that was trained, or of a model.
            params: Parameters of `build`.

        Raises:
            UnknownCaptioner: The id is unknown.
            CaptionerError: The captioner has no such parameter (the message lists those that it has), is trained but no
                folder is given, or refuses a value.
        """
        registered = self.get(captioner_id)
        accepted = list_parameters(registered.captioner_class)
        for name in params:
            if name not in accepted:
                known = ", ".join(accepted) or "none"
                raise CaptionerError(f"captioner {captioner_id!r} takes no parameter {name!r} (it takes: {known})")
        if registered.needs_training and folder is None:
            raise CaptionerError(
                f"captioner {captioner_id!r} must be trained first: give the folder that "
                f"`python -m captioning train --captioner {captioner_id}` wrote"
            )
        build: Any = registered.captioner_class.build
        built: Captioner = build(CaptionerContext(device), folder=folder, **params)
        return built


def list_parameters(captioner_class: type[Captioner]) -> tuple[str, ...]:
    """Return the names of the parameters of `build`, without the context and the folder."""
    return tuple(name for name in list(inspect.signature(captioner_class.build).parameters)[1:] if name != "folder")

"""The worlds of a dataset's images, for metrics that read `Input.WORLD`."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from metrics_plugins.api.worlds import CaptionWorld
from studies.models import Dataset
from studies.scoring.errors import ScoringFailed


@dataclass(frozen=True, eq=False)
class KnownWorlds:
    """Worlds by image key, as records of `world_model.json`, with the profile of the rules of truth.

    Empty for a dataset of images whose scenes are not known.
    """

    records: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    profile: str = ""
    _opened: dict[str, CaptionWorld] = field(default_factory=dict, repr=False)

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of the worlds and the profile; empty if there are none."""
        if not self.records:
            return b""
        content = json.dumps([self.profile, sorted(self.records.items())], sort_keys=True)
        return hashlib.sha256(content.encode()).digest()

    def has_all(self, keys: Iterable[str]) -> bool:
        """Return whether the worlds of all these images are known."""
        return self.records.keys() >= set(keys)

    def open(self, key: str) -> CaptionWorld:
        """Return the world of an image, which evaluates captions; raises ScoringFailed if it is invalid."""
        from captioning.worlds.errors import BadWorldFile
        from captioning.worlds.files.world_files import parse_world
        from captioning.worlds.grounding import GroundedWorld
        from captioning.worlds.truth.profiles import PROFILES

        if key not in self._opened:
            try:
                world = parse_world(self.records[key], source=f"image {key}")
                self._opened[key] = GroundedWorld(world, PROFILES[self.profile])
            except (BadWorldFile, KeyError) as error:
                raise ScoringFailed(f"the world of the dataset cannot be read: {error}") from error
        return self._opened[key]


def load_worlds(dataset: Dataset) -> KnownWorlds:
    """Return the worlds of a dataset's images."""
    if not dataset.world_profile:
        return KnownWorlds()
    known = dataset.images.filter(world__isnull=False).values_list("key", "world")
    return KnownWorlds(dict(known), dataset.world_profile)

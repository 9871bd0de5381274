"""The plugin that reads worlds for metrics."""

from collections.abc import Mapping
from pathlib import Path

from metrics_plugins.api import MetricError, hookimpl
from metrics_plugins.api.worlds import CaptionWorld

_PROFILE_MARK = "@"


@hookimpl
def provide_worlds(path: Path) -> Mapping[str, CaptionWorld] | None:
    """Return the worlds of a `world_model.json`, numbered from 0; `FILE@H` evaluates them under profile H."""
    from captioning.worlds.errors import WorldError
    from captioning.worlds.files.world_files import read_worlds
    from captioning.worlds.grounding import GroundedWorld
    from captioning.worlds.truth.profiles import PROFILES

    name, mark, profile = path.name.rpartition(_PROFILE_MARK)
    file = path.with_name(name) if mark and profile in PROFILES else path
    if file.suffix != ".json":
        return None
    try:
        worlds = read_worlds(file)
    except WorldError as error:
        raise MetricError(str(error)) from error
    chosen = PROFILES[profile if file != path else "S"]
    return {str(number): GroundedWorld(world, chosen) for number, world in enumerate(worlds)}

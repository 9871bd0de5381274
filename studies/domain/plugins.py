"""What metric plugins are installed, for people to look at."""

from dataclasses import dataclass
from math import isinf

from metrics_plugins.api import RefusedPlugin, Registration, load_registry


@dataclass(frozen=True, slots=True)
class InstalledMetric:
    """One metric as its plugin declares it, in words for a table."""

    id: str
    title: str
    level: str
    inputs: tuple[str, ...]
    bounds: str
    direction: str
    fits_on: str
    version: str
    citation: str
    resources: tuple[str, ...]
    plugin: str
    distribution: str


@dataclass(frozen=True, slots=True)
class PluginList:
    """The metrics that can be used, in order of id, and the plugins that cannot."""

    metrics: tuple[InstalledMetric, ...]
    refused: tuple[RefusedPlugin, ...]


def list_plugins() -> PluginList:
    """Load the plugins that are installed at this moment, bundled ones and others alike."""
    registry = load_registry()
    return PluginList(
        metrics=tuple(_describe(registration) for registration in registry),
        refused=registry.refused,
    )


def _describe(registration: Registration) -> InstalledMetric:
    info = registration.info
    low, high = info.bounds
    return InstalledMetric(
        id=info.id,
        title=info.title,
        level=info.level.value,
        inputs=tuple(sorted(name.value for name in info.inputs)),
        bounds=f"{_print_bound(low)} to {_print_bound(high)}",
        direction="higher" if info.higher_is_better else "lower",
        fits_on=info.fits_on.value,
        version=info.version,
        citation=info.citation,
        resources=info.resources,
        plugin=registration.plugin,
        distribution=registration.distribution,
    )


def _print_bound(bound: float) -> str:
    return "no bound" if isinf(bound) else f"{bound:g}"

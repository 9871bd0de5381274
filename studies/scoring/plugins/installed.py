"""The list of installed metric plugins for pages and commands."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf

from metrics_plugins.api.resources import find_missing, list_installs
from metrics_plugins.runtime import RefusedPlugin
from metrics_plugins.runtime.sandbox import CatalogEntry, FormParameter
from studies.scoring.plugins.catalog import load_catalog


@dataclass(frozen=True, slots=True)
class InstalledMetric:
    """One metric as its plugin declares it, formatted for a table.

    `missing` lists what it needs with its default parameters and what is not installed, `install` the commands for it.
    """

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
    available: bool
    missing: tuple[str, ...]
    install: tuple[str, ...]
    plugin: str
    distribution: str
    parameters: tuple[FormParameter, ...]
    deterministic: bool
    bundled: bool

    @property
    def origin(self) -> str:
        """The package with its version, or the file name."""
        return self.distribution or self.plugin

    @property
    def group(self) -> str:
        """The heading it is listed under."""
        return name_family(self)


@dataclass(frozen=True, slots=True)
class PluginList:
    """The usable metrics in order of id, the refused plugins, and the commands that install what metrics lack."""

    metrics: tuple[InstalledMetric, ...]
    refused: tuple[RefusedPlugin, ...]
    install: tuple[str, ...] = ()

    @property
    def unavailable(self) -> tuple[str, ...]:
        """The ids of the metrics that lack something."""
        return tuple(metric.id for metric in self.metrics if not metric.available)


def list_plugins() -> PluginList:
    """List the current plugins: bundled, installed as packages, and files."""
    catalog = load_catalog()
    missing = {each for entry in catalog for each in find_missing(entry.info.resources)}
    return PluginList(
        metrics=tuple(describe_metric(entry) for entry in catalog),
        refused=catalog.refused,
        install=list_installs(missing),
    )


def select_metrics(
    metrics: Sequence[InstalledMetric], *, q: str = "", level: str = "", reads: str = "", group: str = ""
) -> tuple[InstalledMetric, ...]:
    """Return the metrics that contain all words of `q` and match the other filters, by group, bundled ones first."""
    words = q.lower().split()

    def fits(metric: InstalledMetric) -> bool:
        texts = (metric.id, metric.title, metric.citation, metric.origin, metric.group, *metric.inputs)
        text = " ".join(texts).lower()
        return (
            all(word in text for word in words)
            and level in ("", metric.level)
            and (not reads or reads in metric.inputs)
            and group in ("", metric.group)
        )

    chosen = [metric for metric in metrics if fits(metric)]
    return tuple(sorted(chosen, key=lambda metric: (not metric.bundled, metric.group, metric.id)))


def name_family(metric: InstalledMetric | CatalogEntry) -> str:
    """Return the family of a bundled metric, otherwise its package or file."""
    return metric.plugin.replace("_", " ") if metric.bundled else metric.origin


def describe_metric(entry: CatalogEntry) -> InstalledMetric:
    """Return a metric's declaration as text."""
    info = entry.info
    low, high = info.bounds
    missing = find_missing(info.resources)
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
        resources=tuple(map(str, info.resources)),
        available=not missing,
        missing=tuple(map(str, missing)),
        install=list_installs(missing),
        plugin=entry.plugin,
        distribution=entry.distribution,
        parameters=entry.parameters,
        deterministic=info.deterministic,
        bundled=entry.bundled,
    )


def _print_bound(bound: float) -> str:
    return "no bound" if isinf(bound) else f"{bound:g}"

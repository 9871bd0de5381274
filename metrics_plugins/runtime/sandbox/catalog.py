"""The installed plugins as plain data, which can be read without running any plugin code."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from metrics_plugins.api.errors import UnknownMetric
from metrics_plugins.api.info import MetricInfo
from metrics_plugins.runtime.registry import RefusedPlugin, RegisteredMetric, explain_unknown
from metrics_plugins.runtime.sandbox.parameters import FormParameter, list_parameters

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One metric: its info, parameters and origin.

    Attributes:
        info: The declared info.
        parameters: The parameters of its `build`.
        plugin: The name of the entry point or of the file.
        distribution: The installed package with its version, "" for a file.
        module: The module of its class.
        bundled: Whether it comes with Accordance.
    """

    info: MetricInfo
    parameters: tuple[FormParameter, ...]
    plugin: str
    distribution: str
    module: str
    bundled: bool = False

    @property
    def origin(self) -> str:
        """The package with its version, or the file name."""
        return self.distribution or self.plugin


class Catalog:
    """The metrics sorted by id, and the refused plugins; has the reading interface of a `Registry`.

    `blocked` lists the plugins that must not be loaded, because loading them ended or blocked the process.
    """

    def __init__(
        self,
        entries: Mapping[str, CatalogEntry],
        *,
        refused: tuple[RefusedPlugin, ...] = (),
        blocked: tuple[str, ...] = (),
    ) -> None:
        self.metrics: Mapping[str, CatalogEntry] = MappingProxyType(dict(sorted(entries.items())))
        self.refused = refused
        self.blocked = blocked

    def __iter__(self) -> Iterator[CatalogEntry]:
        return iter(self.metrics.values())

    def __len__(self) -> int:
        return len(self.metrics)

    def join(self, other: "Catalog") -> "Catalog":
        """Return a catalog of both; if both contain a metric, the entry of this catalog is used."""
        return Catalog(
            {**other.metrics, **self.metrics},
            refused=(*self.refused, *other.refused),
            blocked=(*self.blocked, *other.blocked),
        )

    def get(self, metric_id: str) -> CatalogEntry:
        """Return the entry of a metric.

        Raises:
            UnknownMetric: The id is unknown; the message has the nearest ids and the refused plugins.
        """
        if metric_id in self.metrics:
            return self.metrics[metric_id]
        raise UnknownMetric(explain_unknown(metric_id, known=self.metrics, refused=self.refused))


def describe_registration(registration: RegisteredMetric) -> CatalogEntry:
    """Return the catalog entry of a loaded metric."""
    return CatalogEntry(
        info=registration.info,
        parameters=list_parameters(registration.metric_class),
        plugin=registration.plugin,
        distribution=registration.distribution,
        module=registration.module,
        bundled=registration.plugin_module.startswith("metrics_plugins."),
    )


def entry_to_json(entry: CatalogEntry) -> dict[str, Any]:
    """Return an entry as JSON values."""
    record = asdict(entry)
    record["info"]["inputs"] = sorted(entry.info.inputs)
    return record


def entry_from_json(record: object) -> CatalogEntry:
    """Return the entry from its JSON values.

    Raises:
        ValueError: The record is not a valid entry; the message names the field.
    """
    from pydantic import ValidationError

    try:
        return _make_reader().validate_python(record)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        raise ValueError(f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}, got {wrong['input']!r}") from None


@cache
def _make_reader() -> "TypeAdapter[CatalogEntry]":
    # Imported here because a process that only scores does not need it.
    from pydantic import TypeAdapter

    return TypeAdapter(CatalogEntry)


def catalog_to_json(catalog: Catalog) -> dict[str, Any]:
    """Return a catalog as JSON values."""
    return {
        "metrics": [entry_to_json(entry) for entry in catalog],
        "refused": [[each.plugin, each.distribution, each.reason] for each in catalog.refused],
        "blocked": list(catalog.blocked),
    }


def catalog_from_json(record: Mapping[str, Any]) -> Catalog:
    """Return the catalog from its JSON values.

    Raises:
        KeyError, TypeError, ValueError: The record is not a valid catalog.
    """
    entries = [entry_from_json(each) for each in record["metrics"]]
    return Catalog(
        {entry.info.id: entry for entry in entries},
        refused=tuple(RefusedPlugin(*each) for each in record["refused"]),
        blocked=tuple(record["blocked"]),
    )

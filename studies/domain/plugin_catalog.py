"""Which plugins there are at this moment, without loading any into this process but the bundled ones."""

import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import Distribution, distribution, entry_points
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.cache import cache

import metrics_plugins
from metrics_plugins.api import Registry, load_registry
from metrics_plugins.api.folder import list_plugin_files
from metrics_plugins.api.hooks import PROJECT
from metrics_plugins.api.loading import is_bundled
from metrics_plugins.guarding import Catalog, CatalogEntry, Limits, catalog_from_json, catalog_to_json
from metrics_plugins.guarding.limits import MEBIBYTE
from metrics_plugins.guarding.listing import list_bundled, list_outside

LOADING_SECONDS: Final = 60.0
"""For loading all plugins, which import no heavy library; a process that takes longer holds pages up."""
_TRIED_AGAIN_SECONDS: Final = 600
"""After so long a plugin that ended or held up its process is tried again: the machine may have been busy."""
_MOST_SOURCES: Final = 5000


def load_catalog() -> Catalog:
    """Return all plugins; loading those that are not bundled takes a second, once for each state of them."""
    return load_bundled().join(_load_outside())


def load_plugins() -> Registry:
    """Load all plugins, files of the plugins folder as well, into this process: for commands, and not for pages."""
    return load_registry(folder=get_folder())


def get_folder() -> Path:
    """Return where plugins lie that are files."""
    return Path(settings.ACCORDANCE_PLUGINS)


def get_limits() -> Limits:
    """Return what ends a metric that is scored or checked in the background."""
    return Limits(seconds=settings.ACCORDANCE_METRIC_SECONDS, memory=settings.ACCORDANCE_METRIC_MEMORY * MEBIBYTE)


def fingerprint_plugins() -> str:
    """Return a digest that changes with every plugin that is installed, changed or removed."""
    points = sorted((each.name, each.value, each.dist and each.dist.version) for each in entry_points(group=PROJECT))
    seen = [(str(path), *_look_at(path)) for path in _list_outside_sources()]
    return hashlib.sha256(repr((points, seen)).encode()).hexdigest()


def digest_sources(entry: CatalogEntry) -> str:
    """Return a digest of the sources of a metric's package or file: what was found out of it holds as long."""
    if entry.bundled:
        return _digest_bundled()
    digest = hashlib.sha256(entry.origin.encode())
    for path in _list_own_sources(entry):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def load_bundled() -> Catalog:
    """Return the plugins that come with the program; none of them can hold a process up."""
    return list_bundled()


@lru_cache(maxsize=1)
def _digest_bundled() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(metrics_plugins.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _load_outside() -> Catalog:
    if not any(True for _ in _list_outside_points()) and not list_plugin_files(get_folder()):
        return Catalog({})
    key = f"plugins:{fingerprint_plugins()}"
    kept = cache.get(key) or _read_kept(key)
    if kept:
        return catalog_from_json(kept)
    limits = Limits(seconds=LOADING_SECONDS, memory=get_limits().memory)
    catalog = list_outside(folder=get_folder(), limits=limits)
    record = catalog_to_json(catalog)
    cache.set(key, record, _TRIED_AGAIN_SECONDS if catalog.blocked else None)
    _keep(key, record)
    return catalog


def _get_kept_path(key: str) -> Path:
    # Beside the database: several server processes share what one of them found out.
    return Path(settings.VAR_DIR) / "plugins-seen" / f"{key.partition(':')[2]}.json"


def _read_kept(key: str) -> dict | None:
    path = _get_kept_path(key)
    try:
        record: dict = json.loads(path.read_text())
        is_old = time.time() - path.stat().st_mtime > _TRIED_AGAIN_SECONDS
    except (OSError, ValueError):
        return None
    if record["blocked"] and is_old:
        return None
    cache.set(key, record, _TRIED_AGAIN_SECONDS if record["blocked"] else None)
    return record


def _keep(key: str, record: dict) -> None:
    path = _get_kept_path(key)
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob("*.json"):
        old.unlink(missing_ok=True)
    draft = path.with_suffix(f".{time.monotonic_ns()}")
    draft.write_text(json.dumps(record))
    draft.replace(path)


def _list_outside_points() -> Iterator[tuple[str, Distribution | None]]:
    for point in entry_points(group=PROJECT):
        if not is_bundled(point):
            yield point.value, point.dist


def _list_outside_sources() -> list[Path]:
    found = {dist.name: dist for _, dist in _list_outside_points() if dist}
    packaged = [path for dist in found.values() for path in _list_sources(dist)]
    folder = get_folder()
    # Helpers of the folder count as well: a plugin may import them.
    return [*packaged, *(sorted(folder.glob("*.py")) if folder.is_dir() else ())]


def _list_own_sources(entry: CatalogEntry) -> list[Path]:
    if not entry.distribution:
        return [get_folder() / entry.plugin]
    return _list_sources(distribution(entry.distribution.rpartition(" ")[0]))


def _list_sources(dist: Distribution) -> list[Path]:
    url = dist.read_text("direct_url.json")
    told = json.loads(url) if url else {}
    if told.get("dir_info", {}).get("editable"):
        return _take_first(Path(unquote(urlsplit(told["url"]).path)).rglob("*.py"))
    files = [Path(str(dist.locate_file(each))) for each in dist.files or () if each.suffix == ".py"]
    return _take_first(path for path in files if path.is_file())


def _take_first(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path, _ in zip(paths, range(_MOST_SOURCES), strict=False))


def _look_at(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return 0, 0
    return stat.st_mtime_ns, stat.st_size

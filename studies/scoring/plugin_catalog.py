"""The catalogue of plugins; only bundled ones are loaded into this process."""

import hashlib
import json
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import Distribution, distribution, entry_points
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.cache import cache
from django.db import connection

import metrics_plugins
from metrics_plugins.api.hooks import PROJECT
from metrics_plugins.runtime import RefusedPlugin, Registry, load_registry
from metrics_plugins.runtime.loading import is_bundled
from metrics_plugins.runtime.plugin_files import list_plugin_files
from metrics_plugins.runtime.sandbox import Catalog, CatalogEntry, SandboxLimits, catalog_from_json, catalog_to_json
from metrics_plugins.runtime.sandbox.limits import MEBIBYTE
from metrics_plugins.runtime.sandbox.listing import list_bundled, list_outside, name_outside

LOADING_SECONDS: Final = 60.0
"""Time limit for loading all plugins, which import no heavy library; a slower process is killed."""
_TRIED_AGAIN_SECONDS: Final = 600
"""A plugin that crashed or hung is tried again after this time: the machine may have been busy."""
_MOST_SOURCES: Final = 5000


def load_catalog(*, within: float | None = None) -> Catalog:
    """Return all plugins; loading those that are not bundled takes a second, once for each state of their sources.

    Args:
        within: Seconds to wait for plugins that are not bundled; None waits as long as the settings say (for pages, a
                    limited time). Slower plugins are listed as being loaded, or as they were found the last time.
    """
    return load_bundled().join(_load_outside(settings.ACCORDANCE_PAGES_WAIT if within is None else within))


def load_plugins() -> Registry:
    """Load all plugins, including those in the plugins folder, into this process; for commands, not for pages."""
    return load_registry(folder=get_folder())


def get_folder() -> Path:
    """Return the folder for plugins that are single files."""
    return Path(settings.ACCORDANCE_PLUGINS)


def get_service() -> Path | None:
    """Return the socket of the service that starts plugins as another user, if there is one."""
    return Path(settings.ACCORDANCE_PLUGIN_SOCKET) if settings.ACCORDANCE_PLUGIN_SOCKET else None


def get_limits() -> SandboxLimits:
    """Return the resource limits of a metric that is scored or checked in the background."""
    return SandboxLimits(
        seconds=settings.ACCORDANCE_METRIC_SECONDS,
        memory=settings.ACCORDANCE_METRIC_MEMORY * MEBIBYTE,
        network=settings.ACCORDANCE_PLUGIN_NETWORK,
        service=get_service(),
    )


def fingerprint_plugins() -> str:
    """Return a digest that changes when a plugin is installed, changed or removed."""
    points = sorted((each.name, each.value, each.dist and each.dist.version) for each in entry_points(group=PROJECT))
    seen = [(str(path), *_look_at(path)) for path in _list_outside_sources()]
    return hashlib.sha256(repr((points, seen)).encode()).hexdigest()


def digest_sources(entry: CatalogEntry) -> str:
    """Return a digest of the sources of a metric's package or file; cached findings are valid while it is unchanged."""
    if entry.bundled:
        return _digest_bundled()
    digest = hashlib.sha256(entry.origin.encode())
    for path in _list_own_sources(entry):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def load_bundled() -> Catalog:
    """Return the bundled plugins; none of them can crash or block the process."""
    return list_bundled()


@lru_cache(maxsize=1)
def _digest_bundled() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(metrics_plugins.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _load_outside(within: float | None) -> Catalog:
    if not any(True for _ in _list_outside_points()) and not list_plugin_files(get_folder()):
        return Catalog({})
    key = f"plugins:{fingerprint_plugins()}"
    kept = cache.get(key) or _read_kept(key)
    if not kept and within is None:
        kept = _list_now(key, get_folder(), _get_kept_path(key))
    if not kept:
        (loading, began_at), earlier = _begin_loading(key), _read_kept(key, however_old=True)
        if earlier:
            return catalog_from_json(earlier)
        with suppress(TimeoutError):
            # Count from the start of loading: one page may ask several times.
            kept = loading.result(None if within is None else max(began_at + within - time.monotonic(), 0.0))
    return catalog_from_json(kept) if kept else _tell_loading()


def _list_now(key: str, folder: Path, path: Path) -> dict[str, Any]:
    limits = SandboxLimits(seconds=LOADING_SECONDS, memory=get_limits().memory, service=get_service())
    catalog = list_outside(folder=folder, limits=limits)
    record = catalog_to_json(catalog)
    cache.set(key, record, _TRIED_AGAIN_SECONDS if catalog.blocked else None)
    _keep(path, record)
    return record


_loading: Final[dict[str, tuple[Future[dict[str, Any]], float]]] = {}
_loading_lock: Final = threading.Lock()


def _begin_loading(key: str) -> "tuple[Future[dict[str, Any]], float]":
    """Load plugins in one background thread for all callers, so that a hanging plugin does not block request threads.

    Return a future with the result, and the time at which loading started.
    """
    with _loading_lock:
        if key not in _loading:
            _loading[key] = Future(), time.monotonic()
            asked = (_loading[key][0], key, get_folder(), _get_kept_path(key))
            threading.Thread(target=_load_beside, args=asked, daemon=True).start()
        return _loading[key]


def _load_beside(future: "Future[dict[str, Any]]", key: str, folder: Path, path: Path) -> None:
    try:
        future.set_result(_list_now(key, folder, path))
    except Exception as error:
        # Raised again in the threads that wait for the result.
        future.set_exception(error)
    finally:
        with _loading_lock:
            del _loading[key]
        # The cache may be in the database, and connections belong to their thread.
        connection.close()


def _tell_loading() -> Catalog:
    outside = name_outside(get_folder())
    reason = "it is being loaded; that takes a second, and longer than a minute only where a plugin hangs"
    told = tuple(RefusedPlugin(each.plugin, each.distribution, reason) for each in outside)
    return Catalog({}, refused=told, blocked=tuple(each.name for each in outside))


def _get_kept_path(key: str) -> Path:
    # Stored in the data folder, so that several server processes share the result.
    return Path(settings.VAR_DIR) / "plugins-seen" / f"{key.partition(':')[2]}.json"


def _read_kept(key: str, *, however_old: bool = False) -> dict[str, Any] | None:
    path = _get_kept_path(key)
    try:
        record: dict[str, Any] = json.loads(path.read_text())
        is_old = time.time() - path.stat().st_mtime > _TRIED_AGAIN_SECONDS
    except (OSError, ValueError):
        return None
    if record["blocked"] and is_old:
        return record if however_old else None
    cache.set(key, record, _TRIED_AGAIN_SECONDS if record["blocked"] else None)
    return record


def _keep(path: Path, record: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{time.monotonic_ns()}")
    draft.write_text(json.dumps(record))
    draft.replace(path)
    # Delete old files last: pages use the previous result until the new file is complete.
    for old in path.parent.glob("*.json"):
        if old != path:
            old.unlink(missing_ok=True)


def _list_outside_points() -> Iterator[tuple[str, Distribution | None]]:
    for point in entry_points(group=PROJECT):
        if not is_bundled(point):
            yield point.value, point.dist


def _list_outside_sources() -> list[Path]:
    found = {dist.name: dist for _, dist in _list_outside_points() if dist}
    packaged = [path for dist in found.values() for path in _list_sources(dist)]
    folder = get_folder()
    # Include helper modules in the folder: a plugin may import them.
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

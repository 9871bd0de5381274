"""The catalogue of plugins; only bundled ones are loaded into this process."""

import hashlib
import json
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from django.conf import settings

import metrics_plugins
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requests import find_job
from jobs.results import Result, ask_worker, find_result, keep_result, make_here
from jobs.running_job import JobHandle
from metrics_plugins.runtime import RefusedPlugin, Registry, load_registry
from metrics_plugins.runtime.installed import list_installed
from metrics_plugins.runtime.plugin_files import list_plugin_files
from metrics_plugins.runtime.sandbox import Catalog, CatalogEntry, SandboxLimits, catalog_from_json, catalog_to_json
from metrics_plugins.runtime.sandbox.limits import MEBIBYTE
from metrics_plugins.runtime.sandbox.listing import list_bundled, list_outside, name_outside
from studies.shared.clock import read_clock

LOADING_SECONDS: Final = 60.0
"""Time limit for loading all plugins, which import no heavy library; a slower process is killed."""
_TRIED_AGAIN: Final = timedelta(minutes=10)
"""A plugin that crashed or hung is tried again after this time: the machine may have been busy."""
_MOST_SOURCES: Final = 5000
_MOST_SECONDS: Final = 3600.0
_LOOK_SECONDS: Final = 0.1


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
    points = [(each.full_name, each.distribution) for each in list_installed()]
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


def find_loading() -> Job | None:
    """Return the job that loads the present plugins; None if none is under way."""
    return find_job(LIST_PLUGINS, key=_name_result(), under_way=True)


def _load_outside(within: float | None) -> Catalog:
    if all(each.is_bundled for each in list_installed()) and not list_plugin_files(get_folder()):
        return Catalog({})
    name, now = _name_result(), read_clock()
    kept = find_result(name)
    if kept is None or (kept.value["blocked"] and not kept.is_young(now, factor=0, least=_TRIED_AGAIN)):
        if within is None:
            return catalog_from_json(_list_now(now))
        kept = _ask_worker(name, now=now, within=0.0 if kept else within) or kept
    return catalog_from_json(kept.value) if kept else _tell_loading()


def _ask_worker(name: str, *, now: datetime, within: float) -> Result[dict[str, Any]] | None:
    """Queue a job that loads the plugins, and return its result if it is there in time."""
    if ask_worker(LIST_PLUGINS, key=name, payload={}, now=now):
        make_here(LIST_PLUGINS, key=name, make=lambda: _list_now(now), now=now)
    job = find_job(LIST_PLUGINS, key=name)
    # Count from the request of the job: one page may ask several times.
    end = time.monotonic() + within - (now - job.requested_at).total_seconds() if job else 0.0
    while (kept := find_result(name)) is None and time.monotonic() < end:
        time.sleep(_LOOK_SECONDS)
    return kept


def _work(handle: JobHandle) -> None:
    _list_now(handle.now())


def _list_now(now: datetime) -> dict[str, Any]:
    # Before loading: plugins that change meanwhile are loaded again.
    name = _name_result()
    limits = SandboxLimits(seconds=LOADING_SECONDS, memory=get_limits().memory, service=get_service())
    return keep_result(name, catalog_to_json(list_outside(folder=get_folder(), limits=limits)), now=now)


def _name_result() -> str:
    return f"plugins:{fingerprint_plugins()}"


def _tell_loading() -> Catalog:
    outside = name_outside(get_folder())
    reason = "it is being loaded; this takes about a second, or more than a minute if a plugin hangs"
    told = tuple(RefusedPlugin(each.plugin, each.distribution, reason) for each in outside)
    return Catalog({}, refused=told, blocked=tuple(each.name for each in outside))


def _list_outside_sources() -> list[Path]:
    found = {each.distribution: each.package for each in list_installed() if each.package and not each.is_bundled}
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


def _may_see(user: Any, _: Job) -> bool:
    return bool(user.is_authenticated)


def _may_cancel(user: Any, _: Job) -> bool:
    return bool(user.is_staff)


LIST_PLUGINS: Final = register(
    Kind(
        name="list-plugins",
        title="Loading plugins",
        lane="plugins",
        work=_work,
        seconds=_MOST_SECONDS,
        kept=timedelta(hours=1),
        may_see=_may_see,
        may_cancel=_may_cancel,
    )
)

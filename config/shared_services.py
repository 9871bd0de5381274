"""Settings of the services that several servers share: an object store for files, and Redis for the cache."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from django.core.exceptions import ImproperlyConfigured

_STATIC: Final = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
_FORM: Final = "s3://BUCKET[/FOLDER][?endpoint=https://HOST:PORT][&region=NAME]"


def make_storages(address: str) -> dict[str, Any]:
    """Return `STORAGES`: images and uploads in local folders, or in the object store of an address.

    Raises:
        ImproperlyConfigured: The address has another form than `s3://BUCKET/FOLDER?endpoint=URL&region=NAME`.
    """
    if not address:
        return {"default": {"BACKEND": "django.core.files.storage.FileSystemStorage"}, "staticfiles": _STATIC}
    options = _read_address(address)
    store = "studies.storage.object_store.ObjectStore"
    return {
        # As in a folder, a file never replaces another one of the same name.
        "default": {"BACKEND": store, "OPTIONS": {**options, "file_overwrite": False}},
        "replacing": {"BACKEND": store, "OPTIONS": {**options, "file_overwrite": True}},
        "staticfiles": _STATIC,
    }


def make_cache(redis: str, otherwise: Mapping[str, Any]) -> dict[str, Any]:
    """Return the default cache: in Redis if its address is given, else as described by `otherwise`."""
    common = {"TIMEOUT": 7 * 24 * 3600}
    if redis:
        # Redis itself limits its memory (`maxmemory`).
        kind = {"BACKEND": "studies.storage.shared_cache.SharedCache", "LOCATION": redis, "KEY_PREFIX": "accordance"}
        return {**common, **kind}
    return {**common, "OPTIONS": {"MAX_ENTRIES": 5000}, **otherwise}


def make_folder_cache(folder: Path) -> dict[str, Any]:
    """Return a cache in files of a folder, which is made when the first value is stored."""
    return {"BACKEND": "studies.storage.folder_cache.FolderCache", "LOCATION": str(folder)}


def _read_address(address: str) -> dict[str, Any]:
    parts = urlsplit(address)
    given = parse_qs(parts.query, keep_blank_values=True)
    if parts.scheme != "s3" or not parts.netloc or not set(given) <= {"endpoint", "region"}:
        raise ImproperlyConfigured(f"ACCORDANCE_STORAGE must be {_FORM}, got {address!r}")
    endpoint, region = given.get("endpoint", [""])[0], given.get("region", [""])[0]
    if endpoint and urlsplit(endpoint).scheme not in ("http", "https"):
        raise ImproperlyConfigured(f"the endpoint in ACCORDANCE_STORAGE must be an http(s) address, got {endpoint!r}")
    return {
        "bucket_name": parts.netloc,
        "location": parts.path.strip("/"),
        "endpoint_url": endpoint or None,
        "region_name": region or None,
    }

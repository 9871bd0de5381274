"""Tests of the settings for an object store and for Redis."""

from pathlib import Path

import pytest
from django.core.cache import CacheHandler
from django.core.exceptions import ImproperlyConfigured

from config.shared_services import make_cache, make_folder_cache, make_storages


def test_without_an_address_everything_is_local() -> None:
    storages = make_storages("")

    assert sorted(storages) == ["default", "staticfiles"]
    assert storages["default"]["BACKEND"].endswith("FileSystemStorage")
    assert make_cache("", {"BACKEND": "local"}) == {
        "TIMEOUT": 604800,
        "OPTIONS": {"MAX_ENTRIES": 5000},
        "BACKEND": "local",
    }


def test_parts_of_an_address_are_read() -> None:
    options = make_storages("s3://bucket/lab/one?endpoint=https://s3.example.org:9000&region=eu")["default"]["OPTIONS"]

    assert options == {
        "bucket_name": "bucket",
        "location": "lab/one",
        "endpoint_url": "https://s3.example.org:9000",
        "region_name": "eu",
        "file_overwrite": False,
    }
    assert make_storages("s3://bucket")["replacing"]["OPTIONS"] == {
        "bucket_name": "bucket",
        "location": "",
        "endpoint_url": None,
        "region_name": None,
        "file_overwrite": True,
    }


@pytest.mark.parametrize(
    "address",
    ["bucket", "https://s3.example.org/bucket", "s3:///lab", "s3://bucket?end=x", "s3://b?endpoint=host:9000"],
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="ACCORDANCE_STORAGE"):
        make_storages(address)


def test_redis_takes_the_place_of_the_local_cache() -> None:
    assert make_cache("redis://host/1", {"BACKEND": "local"}) == {
        "BACKEND": "studies.storage.shared_cache.SharedCache",
        "LOCATION": "redis://host/1",
        "KEY_PREFIX": "accordance",
        "TIMEOUT": 604800,
    }


def test_the_folder_of_the_cache_is_made_with_the_first_value(tmp_path: Path) -> None:
    cache = CacheHandler({"default": make_folder_cache(tmp_path / "cache")})["default"]

    assert (cache.get("name"), cache.touch("name"), cache.delete("name")) == (None, False, False)
    cache.clear()
    assert list(tmp_path.iterdir()) == []
    cache.set("name", "value")
    assert (cache.get("name"), len(list((tmp_path / "cache").iterdir()))) == ("value", 1)

import json
import os
import time

import pytest

from metrics_plugins.runtime import load_registry
from studies.scoring import plugin_catalog
from studies.scoring.plugin_catalog import (
    digest_sources,
    fingerprint_plugins,
    get_limits,
    load_bundled,
    load_catalog,
    load_plugins,
)
from tests.metrics_plugins.runtime.sandbox.test_listing import EXITS, WORKING
from tests.plugins.installing import installed_plugins  # noqa: F401 - a fixture

LETTERS = WORKING


@pytest.fixture
def folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    settings.ACCORDANCE_PLUGINS = str(tmp_path / "plugins")
    (tmp_path / "plugins").mkdir()
    return tmp_path / "plugins"


def list_outside():
    return {entry.info.id: entry.origin for entry in load_catalog() if not entry.bundled}


def test_without_outside_plugins_no_process_is_started_and_nothing_is_kept(folder):
    assert [entry.info.id for entry in load_catalog()] == list(load_registry().metrics)
    assert not (folder.parent / "plugins-seen").exists()


def test_a_file_is_there_when_it_is_dropped_and_gone_when_it_is_taken_away(folder):
    path = folder / "catalog_letters.py"
    path.write_text(LETTERS)
    assert list_outside() == {"letters": "catalog_letters.py"}

    path.write_text(LETTERS.replace('version="1"', 'version="2"').replace('"Letters"', '"More letters"'))
    os.utime(path, ns=(1, 1))
    assert load_catalog().get("letters").info.version == "2"

    path.unlink()
    assert list_outside() == {}


def test_what_one_process_found_another_reads(folder, settings):
    (folder / "catalog_kept.py").write_text(LETTERS)
    load_catalog()
    (kept,) = (folder.parent / "plugins-seen").iterdir()

    kept.write_text(kept.read_text().replace('"Letters"', '"Read from the file"'))
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}

    assert load_catalog().get("letters").info.title == "Read from the file"


def test_a_file_that_ends_the_process_is_refused_and_the_site_lives(folder):
    (folder / "catalog_letters.py").write_text(LETTERS)
    (folder / "catalog_exits.py").write_text(EXITS)

    catalog = load_catalog()

    assert list_outside() == {"letters": "catalog_letters.py"}
    assert [(each.plugin, each.reason) for each in catalog.refused] == [
        ("catalog_exits.py", "while it is loaded, its process ended itself with exit code 9")
    ]
    assert catalog.blocked == ("catalog_exits.py",)


def test_a_file_that_hangs_holds_no_page_up(folder, monkeypatch):
    # Long enough for a file that does not hang, also on a machine with much to do.
    monkeypatch.setattr(plugin_catalog, "LOADING_SECONDS", 6.0)
    (folder / "catalog_letters.py").write_text(LETTERS)
    (folder / "catalog_hangs.py").write_text("while True: pass\n")
    # What comes with Accordance is loaded once in a process, and not what is timed.
    load_bundled()
    started = time.monotonic()

    first, second = load_catalog(within=0.1), load_catalog(within=0.1)

    assert time.monotonic() - started < 3
    assert [entry.info.id for entry in first] == list(load_registry().metrics)
    told = {each.plugin: each.reason for each in first.refused}
    assert set(told) == {"catalog_letters.py", "catalog_hangs.py"} == set(first.blocked)
    assert set(told.values()) == {
        "it is being loaded; that takes a second, and longer than a minute only where a plugin hangs"
    }
    assert second.refused == first.refused
    found = load_catalog(within=120)
    assert found.get("letters").origin == "catalog_letters.py"
    assert found.blocked == ("catalog_hangs.py",)


def test_what_hung_is_tried_again_while_pages_take_what_was_found_before(folder, settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    (folder / "catalog_exits.py").write_text(EXITS)
    load_catalog()
    (kept,) = (folder.parent / "plugins-seen").iterdir()
    record = json.loads(kept.read_text())
    record["refused"][0][2] = "as it was found the last time"
    kept.write_text(json.dumps(record))
    os.utime(kept, (1, 1))

    (refused,) = load_catalog(within=60).refused

    assert refused.reason == "as it was found the last time"
    deadline = time.monotonic() + 60
    while kept.stat().st_mtime == 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert load_catalog(within=0).refused[0].reason.endswith("its process ended itself with exit code 9")


def test_commands_load_files_into_their_own_process(folder):
    (folder / "catalog_in_process.py").write_text(LETTERS)

    assert load_plugins().get("letters").plugin == "catalog_in_process.py"


def test_sources_have_digests_that_change_with_them(folder, monkeypatch, installed_plugins):  # noqa: F811
    monkeypatch.syspath_prepend(installed_plugins)
    path = folder / "catalog_letters.py"
    path.write_text(LETTERS)
    names = ("letters", "word-overlap", "word-rarity", "length", "bleu-1")

    before = [digest_sources(load_catalog().get(name)) for name in names]
    path.write_text(LETTERS + "# changed\n")
    after = [digest_sources(load_catalog().get(name)) for name in names]

    assert before[0] != after[0]
    assert before[1:] == after[1:]
    assert before[1] == before[2] != before[3] == before[4]


def test_fingerprint_changes_with_helpers_of_the_folder(folder):
    before = fingerprint_plugins()
    (folder / "_helper.py").write_text("")

    assert fingerprint_plugins() != before


def test_where_plugins_have_another_user_none_is_started_without_the_service(folder, settings):
    settings.ACCORDANCE_PLUGIN_SOCKET = str(folder / "nothing.sock")
    (folder / "catalog_letters.py").write_text(LETTERS)

    catalog = load_catalog()

    assert get_limits().service == folder / "nothing.sock"
    assert list_outside() == {}
    assert [each.reason for each in catalog.refused] == [
        "the service that starts plugins cannot be reached: No such file or directory"
    ]

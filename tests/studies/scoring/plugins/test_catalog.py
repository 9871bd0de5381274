import os
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from jobs.models import Job
from jobs.results import find_result, keep_result
from jobs.worker.claiming import NO_WORKER
from jobs.worker.running import run_waiting_jobs
from metrics_plugins.runtime import load_registry
from studies.scoring.plugins import catalog
from studies.scoring.plugins.catalog import (
    digest_sources,
    find_loading,
    fingerprint_plugins,
    get_limits,
    load_bundled,
    load_catalog,
    load_plugins,
)
from tests.factories.studies import make_user
from tests.metrics_plugins.runtime.sandbox.test_listing import EXITS, WORKING
from tests.plugins.installing import installed_plugins  # noqa: F401 - a fixture

LETTERS = WORKING


@pytest.fixture
def folder(settings, tmp_path):
    settings.ACCORDANCE_PLUGINS = str(tmp_path / "plugins")
    (tmp_path / "plugins").mkdir()
    return tmp_path / "plugins"


def list_outside():
    return {entry.info.id: entry.origin for entry in load_catalog() if not entry.bundled}


def find_kept():
    return find_result(f"plugins:{fingerprint_plugins()}")


def change_reason(reason, *, made_at):
    """Replace what was found of the first refused plugin."""
    value = find_kept().value
    value["refused"][0][2] = reason
    keep_result(f"plugins:{fingerprint_plugins()}", value, now=made_at)


def test_without_outside_plugins_no_process_is_started_and_nothing_is_kept(folder):
    assert [entry.info.id for entry in load_catalog()] == list(load_registry().metrics)
    assert find_kept() is None


def test_a_file_is_there_when_it_is_dropped_and_gone_when_it_is_taken_away(folder):
    path = folder / "catalog_letters.py"
    path.write_text(LETTERS)
    assert list_outside() == {"letters": "catalog_letters.py"}

    path.write_text(LETTERS.replace('version="1"', 'version="2"').replace('"Letters"', '"More letters"'))
    os.utime(path, ns=(1, 1))
    assert load_catalog().get("letters").info.version == "2"

    path.unlink()
    assert list_outside() == {}


def test_what_was_found_is_cached_with_its_date(folder):
    (folder / "catalog_exits.py").write_text(EXITS)
    load_catalog()
    change_reason("read from the cache", made_at=find_kept().made_at)

    assert load_catalog().refused[0].reason == "read from the cache"
    assert timezone.now() - find_kept().made_at < timedelta(minutes=5)


def test_a_file_that_ends_the_process_is_refused_and_the_site_lives(folder):
    (folder / "catalog_letters.py").write_text(LETTERS)
    (folder / "catalog_exits.py").write_text(EXITS)

    catalog = load_catalog()

    assert list_outside() == {"letters": "catalog_letters.py"}
    assert [(each.plugin, each.reason) for each in catalog.refused] == [
        ("catalog_exits.py", "while it is loaded, its process ended itself with exit code 9")
    ]
    assert catalog.blocked == ("catalog_exits.py",)


@pytest.mark.django_db
def test_a_file_that_hangs_holds_no_page_up(folder, monkeypatch):
    # Long enough for a file that does not hang, also on a machine with much to do.
    monkeypatch.setattr(catalog, "LOADING_SECONDS", 6.0)
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
        "it is being loaded; this takes about a second, or more than a minute if a plugin hangs"
    }
    assert second.refused == first.refused
    assert list_jobs() == [("list-plugins", "plugins", "queued")]
    assert find_loading() == Job.objects.get()
    run_waiting_jobs(now=timezone.now)
    found = load_catalog(within=0.0)
    assert found.get("letters").origin == "catalog_letters.py"
    assert found.blocked == ("catalog_hangs.py",)
    assert (list_jobs(), find_loading()) == ([("list-plugins", "plugins", "done")], None)


def list_jobs():
    return list(Job.objects.order_by("pk").values_list("kind", "lane", "state"))


@pytest.mark.django_db
def test_what_hung_is_tried_again_while_pages_take_what_was_found_before(folder):
    (folder / "catalog_exits.py").write_text(EXITS)
    load_catalog()
    change_reason("as it was found the last time", made_at=timezone.now() - timedelta(minutes=11))

    (refused,) = load_catalog(within=60).refused

    assert refused.reason == "as it was found the last time"
    run_waiting_jobs(now=timezone.now)
    assert load_catalog(within=0.0).refused[0].reason.endswith("its process ended itself with exit code 9")


@pytest.mark.django_db
def test_a_page_waits_for_a_worker_that_loads_plugins_in_time(folder, monkeypatch):
    (folder / "catalog_letters.py").write_text(LETTERS)
    worker = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: run_waiting_jobs(now=timezone.now))
    monkeypatch.setattr(catalog, "time", worker)

    assert load_catalog(within=60.0).get("letters").origin == "catalog_letters.py"


@pytest.mark.django_db
def test_a_page_loads_plugins_itself_if_no_worker_is_running(folder):
    (folder / "catalog_letters.py").write_text(LETTERS)
    load_catalog(within=0.0)
    Job.objects.update(requested_at=timezone.now() - NO_WORKER - timedelta(seconds=1))

    assert load_catalog(within=0.0).get("letters").origin == "catalog_letters.py"
    assert list_jobs() == [("list-plugins", "plugins", "done")]


@pytest.mark.django_db
def test_the_list_of_metrics_shows_the_job_that_loads_plugins(folder, settings, researcher_client):
    settings.ACCORDANCE_PAGES_WAIT = 0.0
    (folder / "catalog_letters.py").write_text(LETTERS)

    waiting = researcher_client.get("/metrics/").content.decode()
    run_waiting_jobs(now=timezone.now)
    there = researcher_client.get("/metrics/").content.decode()

    address = f'hx-get="/jobs/{Job.objects.get().token}/'
    assert (address in waiting, address in there) == (True, False)
    assert ("catalog_letters.py" in waiting, "<code>letters</code>" in there) == (True, True)


@pytest.fixture
def researcher_client(client):
    client.force_login(make_user("researcher"))
    return client


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

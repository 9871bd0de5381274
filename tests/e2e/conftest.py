"""Settings of browser tests."""

import threading
import time
from collections.abc import Iterator

import pytest
from django.core.signals import request_finished, request_started
from django.urls import get_resolver
from playwright.sync_api import Browser, expect

from tests.e2e.looking import PATIENCE

# An expectation ends as soon as it is met; the default of five seconds is too short where other work shares the cores.
expect.set_options(timeout=PATIENCE)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests in a browser: as the last ones they would leave the other process without work.

    They have servers of their own, and pytest-django moves what uses no database of the test behind all other tests.
    """
    items.sort(key=lambda item: not {"browser", "slow"} <= {mark.name for mark in item.iter_markers()})


@pytest.fixture(scope="session", autouse=True)
def _import_views() -> None:
    """Import all views, which takes seconds: else the first page would, while the browser waits for it."""
    get_resolver().url_patterns  # noqa: B018 - a property that imports


@pytest.fixture(autouse=True)
def _show_new_values_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of open studies show for a while what took long to compute, as everything does on a busy machine."""
    monkeypatch.setattr("studies.analysis.cached_results.KEEP_FACTOR", 0.0)


@pytest.fixture(scope="session")
def answering() -> Iterator[set[int]]:
    """The threads that answer a request now."""
    threads: set[int] = set()

    def begin(**_: object) -> None:
        threads.add(threading.get_ident())

    def end(**_: object) -> None:
        threads.discard(threading.get_ident())

    request_started.connect(begin)
    request_finished.connect(end)
    yield threads
    request_started.disconnect(begin)
    request_finished.disconnect(end)


@pytest.fixture(autouse=True)
def close_pages(request: pytest.FixtureRequest, answering: set[int]) -> Iterator[None]:
    """Close what a test opened before its tables are emptied: a page that waits for something asks for it forever.

    What was asked for last is answered before, too: an answer may write rows, which the next test would find.
    """
    yield
    if "browser" in request.fixturenames:
        browser: Browser = request.getfixturevalue("browser")
        for context in browser.contexts:
            context.close()
        ends_at = time.monotonic() + PATIENCE / 1000
        while _list_alive(answering) and time.monotonic() < ends_at:
            time.sleep(0.01)


def _list_alive(threads: set[int]) -> set[int | None]:
    alive = {thread.ident for thread in threading.enumerate() if thread is not threading.current_thread()}
    return alive & threads

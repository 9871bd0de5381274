"""Jobs for pages that are open in a browser."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import Page, expect

from jobs.worker.running import run_waiting_jobs
from tests.e2e.looking import PATIENCE, follow


@pytest.fixture(name="worker")
def background_worker(transactional_db) -> Iterator[None]:
    """Run jobs in a thread beside the live server."""
    with work_beside():
        yield


@contextmanager
def work_beside() -> Iterator[None]:
    """Run jobs in a thread until the end of the block, those that are requested meanwhile too."""
    is_over = threading.Event()

    def work() -> None:
        try:
            while not is_over.wait(0.2):
                run_waiting_jobs(now=timezone.now)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def wait_for_job(page: Page, *, has_scripts: bool) -> None:
    """Wait until the page, which is loaded, shows no job any more: it looks by itself, or is told to look again."""
    again, ends_at = page.get_by_role("link", name="refresh"), time.monotonic() + PATIENCE / 1000
    while not has_scripts and again.count() and time.monotonic() < ends_at:
        follow(again)
    expect(page.locator(".job")).to_have_count(0, timeout=PATIENCE)

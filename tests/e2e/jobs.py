"""Jobs for pages that are open in a browser."""

import threading
from collections.abc import Iterator

import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import Page, expect

from jobs.worker.running import run_waiting_jobs


@pytest.fixture(name="worker")
def background_worker(transactional_db) -> Iterator[None]:
    """Run jobs in a thread beside the live server."""
    is_over = threading.Event()

    def work() -> None:
        try:
            while not is_over.wait(0.2):
                run_waiting_jobs(now=timezone.now)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    is_over.set()
    thread.join()


def wait_for_job(page: Page, *, has_scripts: bool) -> None:
    """Wait until the page shows no job any more: it looks by itself, or is told to look again."""
    for _ in range(0 if has_scripts else 100):
        again = page.get_by_role("link", name="refresh")
        if not again.count():
            break
        again.click()
    expect(page.locator(".job")).to_have_count(0, timeout=30_000)

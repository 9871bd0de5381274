"""Tests of how far a newcomer gets with how many clicks in how much time.

With ACCORDANCE_WALKS=docs each walk is written there, as a sheet of pictures and a table (`make walks`).
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.first_walks.files import write_files
from tests.e2e.first_walks.page import write_walk
from tests.e2e.first_walks.walks import (
    MOST_CLICKS_TO_LINK,
    MOST_CLICKS_TO_REPORT,
    MOST_SECONDS_TO_INSIGHT,
    MOST_SECONDS_TO_REPORT,
    Walked,
    walk_to_a_report,
    walk_to_an_insight,
)
from tests.postgres import find_free_port
from tests.studies.management.commands.processes import make_environment, start
from tests.studies.management.commands.test_serve import fetch

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@contextmanager
def serve(command: str, *, folder: Path) -> Iterator[str]:
    """Serve a site of its own, and yield its address once it answers."""
    port = find_free_port()
    # Without the caches of this account, as on a machine that has never run Accordance.
    environment = make_environment(folder, ACCORDANCE_SIGN_UP="open", HOME=str(folder))
    with start(command, "--port", str(port), environment=environment) as process:
        try:
            fetch(f"http://127.0.0.1:{port}/", within=600)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def keep(name: str, walked: Walked, *, setting_up: float) -> None:
    if folder := os.environ.get("ACCORDANCE_WALKS"):
        write_walk(name, walked, Path(folder), setting_up=setting_up)


def test_demo_leads_to_an_insight(browser: Browser, tmp_path: Path) -> None:
    began = time.monotonic()
    with serve("demo", folder=tmp_path) as site:
        setting_up = time.monotonic() - began
        walked = walk_to_an_insight(browser, site)

    keep("demo", walked, setting_up=setting_up)
    assert walked.film.seconds_filmed < MOST_SECONDS_TO_INSIGHT
    assert "agreement with people" in walked.insight


def test_three_files_lead_to_a_shared_report(browser: Browser, tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    began = time.monotonic()
    with serve("serve", folder=tmp_path) as site:
        setting_up = time.monotonic() - began
        walked = walk_to_a_report(browser, site, write_files(files))

    keep("report", walked, setting_up=setting_up)
    assert walked.n_clicks_to_link <= MOST_CLICKS_TO_LINK
    assert walked.film.n_clicks <= MOST_CLICKS_TO_REPORT
    assert walked.film.seconds_filmed < MOST_SECONDS_TO_REPORT
    assert walked.n_judgments == 180

"""Fixtures for all tests: the published data, real programs, and the browser's launch options."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import caches

from tests.emptying import let_tables_be_emptied  # noqa: F401 - a fixture for every test
from tests.parts import require_program
from tests.postgres import run_cluster

ROOT = Path(__file__).resolve().parent.parent

# Modules and thousands of tests stay, and collecting them again and again took a tenth of a run.
gc.set_threshold(10_000, 20, 20)

# Playwright's synchronous calls run inside an event loop, which Django would otherwise refuse to work in.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


def pytest_report_header() -> str:
    """Say whether the tests marked `gpu` can run; PyTorch itself would take a second to ask."""
    found = sorted(path.name for path in Path("/dev").glob("nvidia[0-9]*"))
    return f"GPU: {', '.join(found) or 'none here, so what is marked gpu is passed over'}"


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of all later collections of garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _keep_nothing() -> None:
    """Forget what pages of another test kept: its study may have had the same primary keys."""
    for cache in caches.all(initialized_only=True):
        cache.clear()


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The published data sets; always there in CI."""
    return Path(os.environ.get("ACCORDANCE_DATA", ROOT / "../shared/data")).resolve()


@pytest.fixture(scope="session")
def golden_folder(data_folder: Path) -> Path:
    """Numbers printed by reference implementations, beside the data."""
    return data_folder.parent / "golden"


@pytest.fixture(scope="session")
def java() -> str:
    """The path of a Java runtime."""
    return require_program("java")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of a running PostgreSQL server's maintenance database."""
    running = os.environ.get("ACCORDANCE_TEST_POSTGRES")
    if running:
        yield running
        return
    require_program("initdb")
    with run_cluster() as url:
        yield url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict) -> dict:
    """Launch Debian's Chromium; nothing is fetched from anywhere.

    This build has no windows, which nobody would see: it takes a third less of the processor's time for the same pages.
    """
    return {**browser_type_launch_args, "executable_path": require_program("chromium-headless-shell")}

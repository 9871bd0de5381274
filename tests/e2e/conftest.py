"""Settings of browser tests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.looking import PATIENCE

# An expectation ends as soon as it is met; the default of five seconds is too short where other work shares the cores.
expect.set_options(timeout=PATIENCE)


@pytest.fixture(autouse=True)
def close_pages(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close what a test opened before its tables are emptied: a page that waits for something asks for it forever."""
    yield
    if "browser" in request.fixturenames:
        browser: Browser = request.getfixturevalue("browser")
        for context in browser.contexts:
            context.close()

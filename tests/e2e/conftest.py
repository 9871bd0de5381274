"""Settings of browser tests."""

from playwright.sync_api import expect

# An expectation ends as soon as it is met; the default of five seconds is too short where other work shares the cores.
expect.set_options(timeout=30_000)

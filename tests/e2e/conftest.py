"""Settings of browser tests."""

from playwright.sync_api import expect

# An expectation ends as soon as it is met. Where the cores are shared, the default of five seconds ends before slow pages.
expect.set_options(timeout=30_000)

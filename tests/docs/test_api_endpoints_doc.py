"""Tests that the table of endpoints in docs/api.md equals that of the schema."""

import re
from pathlib import Path

from studies.api.views.home import list_routes

TEXT = (Path(__file__).resolve().parents[2] / "docs/api.md").read_text()


def test_table_names_every_route_and_what_it_does():
    told = re.findall(r"^\| `([A-Z]+) (\S+)` \| (.+) \|$", TEXT, flags=re.MULTILINE)

    expected = [(each["method"], each["path"].removeprefix("/api/v1/"), each["summary"]) for each in list_routes()]
    assert told == expected

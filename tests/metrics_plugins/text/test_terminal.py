"""Tests of tables for terminals, whose heads are coloured on terminals only."""

import io

import pytest

from metrics_plugins.text.terminal import align_columns, emphasize


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_a_terminal_has_colours() -> None:
    assert emphasize("METRIC", stream=Terminal()) == "\x1b[1;34mMETRIC\x1b[0m"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_plain_where_it_is_asked_for(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)

    assert emphasize("METRIC", stream=Terminal()) == "METRIC"


def test_plain_where_it_is_piped() -> None:
    assert emphasize("METRIC", stream=io.StringIO()) == "METRIC"


def test_columns_begin_at_the_same_places() -> None:
    assert align_columns([("ID", "VALUE"), ("length", "1"), ("b", "")]) == ["ID      VALUE", "length  1", "b"]

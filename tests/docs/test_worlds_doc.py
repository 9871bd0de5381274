"""Tests that docs/worlds.md has every set and command, and the actual error message."""

import re
import shlex
from pathlib import Path

import pytest

from captioning.cli import _make_parser
from captioning.probes.minimal_pairs import PAIR_KINDS
from captioning.worlds.errors import NotGrammatical
from captioning.worlds.language import parse_caption
from captioning.worlds.specs import SPECS
from captioning.worlds.truth.profiles import HEAD, SAMPLES

PAGE = (Path(__file__).resolve().parents[2] / "docs/worlds.md").read_text(encoding="utf-8")


def test_every_set_is_in_the_table_with_its_title() -> None:
    section = PAGE.split("\n## Sets")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", section, re.MULTILINE)

    assert rows == [(spec.name, spec.title) for spec in SPECS.values()]


def test_commands_have_the_arguments_that_the_page_gives_them() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("python -m captioning ")]

    commands = [vars(_make_parser().parse_args(shlex.split(line)[3:]))["command"].__name__ for line in lines]

    assert commands == ["_list", "_check", "_make", "_draw_sheet", "_count_constructions", "_run", "_run"]


def test_the_error_is_the_one_that_comes() -> None:
    with pytest.raises(NotGrammatical) as caught:
        parse_caption("a shape is a ellipse .")
    shown = re.search(r"^word 5.*$", PAGE, re.MULTILINE)

    assert shown is not None
    assert str(caught.value).startswith(shown.group(0).removesuffix("..."))


def test_margins_are_those_of_the_profiles() -> None:
    assert f"| {SAMPLES.axis_margin} | {HEAD.axis_margin} |" in PAGE


def test_table_of_the_truth_probe_has_a_column_for_every_kind() -> None:
    section = PAGE.split("## The truth probe")[1].split("\n## ")[0]
    table = next(part for part in section.split("\n\n") if part.startswith("| metric | mean |"))
    header, _, *rows = table.splitlines()

    kinds = [cell.strip() for cell in header.strip("|").split("|")][2:]

    assert kinds == list(PAIR_KINDS)
    assert rows[0].startswith("| gtd-truthful | 100.0 |")
    assert all(len(row.split("|")) == len(header.split("|")) for row in rows)

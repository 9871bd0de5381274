"""Tests that docs/captioning.md has every captioner, setting and command, and that its example keeps the contract."""

import re
import shlex
import sys
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from captioning.api import BadCaptions, CaptionBatch, Decoding
from captioning.captioners.neural import NeuralCaptioner
from captioning.captioners.plugin import CAPTIONERS
from captioning.cli import _make_parser
from captioning.runtime import load_captioners, run_captioner
from studies.management.commands.caption import Command
from tests.captioning.runtime.examples import Broken, make_images

PAGE = (Path(__file__).resolve().parents[2] / "docs/captioning.md").read_text(encoding="utf-8")


def _read_rows(section: str) -> dict[str, list[str]]:
    text = PAGE.split(f"\n## {section}")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return {row[0].strip("`"): row[1:] for row in rows[2:]}


def test_every_captioner_is_in_the_table_with_what_it_reads() -> None:
    rows = _read_rows("Captioners")
    assert {name: row[0] for name, row in rows.items()} == {
        each.info.id: "features or pixels" if issubclass(each, NeuralCaptioner) else ", ".join(sorted(each.info.inputs))
        for each in CAPTIONERS
    }


def test_settings_of_decoding_are_in_the_table_with_their_defaults() -> None:
    rows = _read_rows("Caption and score")
    assert {name: row[0].strip("`") for name, row in rows.items()} == {
        each.name: str(each.default) for each in fields(Decoding)
    }


@pytest.mark.parametrize("line", [line for line in PAGE.splitlines() if line.startswith("python -m captioning ")])
def test_command_has_the_arguments_that_the_page_gives_it(line: str) -> None:
    assert callable(_make_parser().parse_args(shlex.split(line)[3:]).command)


@pytest.mark.parametrize("line", [line for line in PAGE.splitlines() if line.startswith("python manage.py caption ")])
def test_platform_command_has_the_arguments_that_the_page_gives_it(line: str) -> None:
    given = Command().create_parser("manage.py", "caption").parse_args(shlex.split(line)[3:])
    assert given.dataset == "DATASET"


def test_the_error_is_the_one_that_comes() -> None:
    captioner = Broken(lambda images: CaptionBatch(images.keys, (("a",), ("b",), ("",)), np.full((3, 1), -1.0)))
    with pytest.raises(BadCaptions) as caught:
        run_captioner(captioner, make_images(), rng=np.random.default_rng(0))
    assert f"\n{caught.value}\n" in PAGE


def test_example_is_registered_and_keeps_the_contract(monkeypatch) -> None:
    module = ModuleType("counting")
    # Pickles name the module of a class.
    monkeypatch.setitem(sys.modules, "counting", module)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(block, vars(module))  # noqa: S102 - the documented example
    assert "counting" in load_captioners([module], outside=False).captioners

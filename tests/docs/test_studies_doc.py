"""Tests that the design in docs/studies.md is valid, and that its table has every column."""

import re
from pathlib import Path

from studies.datasets.drafts.rows import COLUMNS
from studies.design.design_files import read_design
from studies.enums import PanelKind, TaskKind
from studies.shared.files import SourceFile

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "studies.md").read_text(encoding="utf-8")


def test_design_is_read() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.DOTALL)

    design, kind = read_design(SourceFile("design.toml", block.encode()))

    assert kind == TaskKind.PAIRWISE
    assert design.panel.kind == PanelKind.PROLIFIC
    assert (design.pay.hourly_wage, design.checks.every, design.tasks_per_session) == (12.0, 10, 20)


def test_every_column_is_named() -> None:
    table = TEXT.partition("## 1.")[2].partition("## 2.")[0]

    named = [
        name for row in re.findall(r"^\| (`.*?) \|", table, flags=re.MULTILINE) for name in re.findall("`(.*?)`", row)
    ]
    assert set(named) == set(COLUMNS)

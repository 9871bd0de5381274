"""Tests that docs/plugin-tutorial.md works from its first block to its last, with the printed output."""

from pathlib import Path

import pytest

from tests.docs.tutorial import list_commands, read_blocks, run_blocks

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "plugin-tutorial.md").read_text()


@pytest.mark.slow
def test_every_block_runs_and_prints_what_the_page_says(tmp_path: Path) -> None:
    blocks = read_blocks(PAGE)
    sessions = list(run_blocks(blocks, folder=tmp_path))

    assert [printed.text for _, printed in sessions] == [block.text for block, _ in sessions]
    assert PAGE.count("```") == 2 * len(blocks)
    assert all(block.path or list_commands(block) for block in blocks)


def test_first_metric_has_fifteen_lines_of_code() -> None:
    first = read_blocks(PAGE)[0].text

    assert len([line for line in first.splitlines() if line.strip()]) <= 15

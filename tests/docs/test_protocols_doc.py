"""Tests that docs/protocols.md has every protocol with its signature, and the actual results on published data."""

from pathlib import Path

import pytest

from correlation.protocols.named import PROTOCOLS
from correlation.protocols.recipe import OPTIONS, REFERENCE_KINDS, ROW_RULES, Protocol
from tests.docs.examples import run_examples
from tests.docs.protocol_tables import TABLES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "protocols.md").read_text()


def _read_section(reference: str) -> str:
    return PAGE.split(f"## `{reference}`\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=lambda protocol: protocol.reference)
def test_protocol_has_a_section_with_its_signature(protocol: Protocol) -> None:
    assert f"Signature: `{protocol.signature}`" in _read_section(protocol.reference).splitlines()


@pytest.mark.parametrize("reference", TABLES)
def test_table_holds_the_numbers_of_the_published_data(reference: str) -> None:
    lines = _read_section(reference).splitlines()

    assert [line for line in lines if line.startswith("|")] == TABLES[reference]()


@pytest.mark.parametrize("option", OPTIONS)
def test_option_is_told(option: str) -> None:
    assert f"| `{option}` |" in PAGE


@pytest.mark.parametrize("rule", [*ROW_RULES, *REFERENCE_KINDS])
def test_rule_is_told(rule: str) -> None:
    assert f"`{rule}`" in PAGE


def test_examples_print_what_the_page_says() -> None:
    results = run_examples(PAGE, name="protocols.md")

    assert (results.attempted, results.failed) == (4, 0)

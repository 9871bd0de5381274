"""Tests of the cards of bundled metrics."""

import re
from pathlib import Path

import pytest

from benchmarks.metrics.rates import read_rates
from metrics_plugins.metrics import card_texts
from metrics_plugins.runtime.checks import advise
from tests.metrics_plugins.bundled import list_bundled, load_bundled_registry

ROOT = Path(__file__).resolve().parents[3]
SECONDS = {
    card_texts.SECONDS: (0, 30),
    card_texts.A_MINUTE: (30, 120),
    card_texts.MINUTES: (120, 600),
    card_texts.AN_HOUR: (1800, 3600),
}
ENTRY = re.compile(r"@(article|book|inproceedings|misc)\{([\w:-]+),\n((?:  \w+ = \{.+\},?\n)+)\}")


@pytest.mark.parametrize("metric", list_bundled())
def test_each_bundled_metric_has_a_card_with_sources_and_citations(metric: str) -> None:
    info = load_bundled_registry().get(metric).info

    assert advise(info) == ()
    assert info.card is not None
    assert info.card.measures
    assert info.card.cost
    assert info.needs or not info.resources
    assert info.card.weaknesses
    assert info.card.publications
    # What the text of the citation names is what the entries cite.
    years = {str(each.year) for each in info.card.publications}
    assert set(re.findall(r"\((\d{4})\)", info.citation)) <= years


@pytest.mark.parametrize("metric", list_bundled())
def test_bibtex_parses_and_keys_are_unique(metric: str) -> None:
    card = load_bundled_registry().get(metric).info.card
    entries = card.bibtex.split("\n\n")

    found = [ENTRY.fullmatch(entry) for entry in entries]
    assert all(found), entries
    assert len({each[2] for each in found}) == len(entries) == len(card.publications)
    for each in found:
        assert {"author", "title", "year"} <= set(re.findall(r"^  (\w+) = ", each[3], re.M))
        assert each[3].count("{") == each[3].count("}")


@pytest.mark.parametrize("metric", list_bundled())
def test_pages_that_cards_name_as_sources_exist_with_their_sections(metric: str) -> None:
    sources = {each.source for each in load_bundled_registry().get(metric).info.card.weaknesses}

    for page, section in re.findall(r"(docs/[\w-]+\.md)(?:, ([^;\n]+))?", "\n".join(sources)):
        text = (ROOT / page).read_text()
        assert not section or re.search(rf"^#+ {re.escape(section.strip())}", text, re.M), (page, section)


@pytest.mark.parametrize("metric", list_bundled())
def test_cost_is_that_which_was_measured(metric: str) -> None:
    rate, cost = read_rates()[metric], load_bundled_registry().get(metric).info.card.cost
    bounds = next((bounds for text, bounds in SECONDS.items() if cost == text or cost.startswith(text[:-1])), None)

    assert bounds is not None, cost
    assert bounds[0] <= rate.per_ten_thousand <= bounds[1]

"""Tests of cards and publications."""

import pytest

from metrics_plugins.api import MetricCard, Publication, Weakness
from tests.metrics_plugins.api.examples import make_info

PAPER = Publication(
    key="doe2020", kind="article", authors=("Doe, J.", "Roe, R."), title="Cats & dogs", year=2020, venue="A_Journal"
)


def test_bibtex_names_the_venue_by_kind_and_escapes_special_characters() -> None:
    assert PAPER.bibtex == (
        "@article{doe2020,\n"
        "  author = {Doe, J. and Roe, R.},\n"
        "  title = {{Cats \\& dogs}},\n"
        "  year = {2020},\n"
        "  journal = {A\\_Journal}\n"
        "}"
    )


def test_bibtex_of_a_card_has_all_publications() -> None:
    other = Publication(key="roe2021", kind="book", authors=("Roe, R.",), title="Dogs", year=2021)
    card = MetricCard(measures="Dogs.", publications=(PAPER, other))

    assert card.bibtex == f"{PAPER.bibtex}\n\n{other.bibtex}"
    assert "publisher" not in other.bibtex
    assert MetricCard(measures="Dogs.").bibtex == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"key": "doe 2020"}, "key of a publication must be letters"),
        ({"kind": "poster"}, "must be one of article, book, inproceedings, misc, got 'poster'"),
        ({"authors": ()}, "must be a tuple of 1 to 100 texts"),
        ({"authors": "Doe"}, "must be a tuple of 1 to 100 texts"),
        ({"year": 20}, "must have four digits, got 20"),
        ({"title": " "}, "title of publication 'doe2020' must be a line of text"),
        ({"title": "A {brace"}, "must be plain text without braces and backslashes"),
        ({"venue": "two\nlines"}, "venue of publication 'doe2020' must be a line of text"),
    ],
)
def test_invalid_publications_are_refused(changes: dict, said: str) -> None:
    fields = {"key": "doe2020", "kind": "article", "authors": ("Doe, J.",), "title": "Cats", "year": 2020}

    with pytest.raises(ValueError, match=said):
        Publication(**(fields | changes))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"measures": ""}, "measures of a card must be a line of text, got ''"),
        ({"measures": "x" * 601}, "at most 600 characters, got 601"),
        ({"needs": "\x00"}, "needs of a card must be a line of text"),
        ({"weaknesses": ("slow",)}, "weaknesses of a card must be a tuple of Weakness"),
        ({"weaknesses": (Weakness("Slow.", "Its page"),) * 13}, "at most 12, got 13"),
    ],
)
def test_invalid_cards_are_refused(changes: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        MetricCard(**({"measures": "Dogs."} | changes))


def test_a_weakness_needs_a_source() -> None:
    with pytest.raises(ValueError, match=r"source of the weakness 'Slow.' must be a line of text"):
        Weakness("Slow.", "")


def test_info_takes_a_card_and_nothing_else_in_its_place() -> None:
    card = MetricCard(measures="Dogs.")

    assert make_info(card=card).card == card
    assert make_info().card is None
    with pytest.raises(ValueError, match=r"card of metric '.*' must be a MetricCard, got 'text'"):
        make_info(card="text")

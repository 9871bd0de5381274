"""Tests of the text of signatures."""

import numpy as np
import pytest

from metrics_plugins.api.signature import Signature


@pytest.mark.parametrize(
    ("fields", "printed"),
    [
        ({}, "cider-d|v:1"),
        ({"n": 4, "sigma": 6.0, "tok": "ptb", "df": "references"}, "cider-d|n:4|sigma:6|tok:ptb|df:references|v:1"),
        ({"sigma": 0.1, "clip": True, "stem": False}, "cider-d|sigma:0.1|clip:yes|stem:no|v:1"),
        ({"sigma": np.float64(0.1), "cut": float("inf")}, "cider-d|sigma:0.1|cut:inf|v:1"),
    ],
)
def test_fields_print_in_order_and_in_shortest_form(fields: dict, printed: str) -> None:
    assert str(Signature.make("cider-d", fields=fields, version="1")) == printed


@pytest.mark.parametrize("fields", [{"tok": "a|b"}, {"tok": "a:b"}, {"a:b": 1}])
def test_separators_are_refused(fields: dict) -> None:
    with pytest.raises(ValueError, match="signature field of 'cider-d' must not hold"):
        Signature.make("cider-d", fields=fields, version="1")


def test_separators_in_the_version_are_refused() -> None:
    with pytest.raises(ValueError, match="got 'v': '1:2'"):
        Signature.make("cider-d", fields={}, version="1:2")


def test_field_cannot_take_the_name_of_the_version() -> None:
    with pytest.raises(ValueError, match="must not be named 'v'"):
        Signature.make("cider-d", fields={"v": 2}, version="1")


def test_equal_parts_make_equal_signatures() -> None:
    assert Signature.make("a", fields={"n": 4}, version="1") == Signature.make("a", fields={"n": 4.0}, version="1")
    assert Signature.make("a", fields={"n": 4}, version="1") != Signature.make("a", fields={"n": 4}, version="2")


def test_a_corpus_takes_the_place_of_the_field_that_says_there_is_one() -> None:
    named = Signature.make("novelty", fields={"tok": "ptb", "corpus": "captions"}, version="1").name_corpus("0a1b")
    added = Signature.make("rarity", fields={}, version="2").name_corpus("0a1b")

    assert (str(named), str(added)) == ("novelty|tok:ptb|corpus:0a1b|v:1", "rarity|corpus:0a1b|v:2")


def test_judgments_are_named_with_how_images_were_kept_apart() -> None:
    signature = Signature.make("critic", fields={"alpha": 0.5}, version="1")

    crossed = signature.name_judgments("0a1b", cross_fitted=True)
    apart = crossed.name_judgments("0a1c", cross_fitted=False)

    assert str(crossed) == "critic|alpha:0.5|judgments:0a1b|apart:cross-fitted|v:1"
    assert str(apart) == "critic|alpha:0.5|judgments:0a1c|apart:other-images|v:1"

"""Tests of protocols read from text."""

import pytest

from correlation.protocols.named import PROTOCOLS, ReferenceRule, get_protocol
from correlation.protocols.reading import ProtocolUnknown, read_protocol


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_signature_is_read_back(name):
    protocol = get_protocol(name)

    assert read_protocol(protocol.signature) == protocol


@pytest.mark.parametrize(
    "signature",
    [
        "custom@1|rows:all|refs:draw-5x3|ratings:mean|level:item|coef:pearson+kendall-b|level:group|coef:spearman",
        "custom@1|rows:drop-own-references|refs:set-mine|ratings:each|level:system|coef:pearson",
        "custom@1|rows:all|refs:all|ratings:majority|level:pair|coef:accuracy|ties:half|cat:HC+MM",
    ],
)
def test_a_custom_signature_is_read_back(signature):
    assert read_protocol(signature).signature == signature


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("references=draw", ReferenceRule("draw", size=5, n_draws=5)),
        ("references=draw-2x7", ReferenceRule("draw", size=7, n_draws=2)),
        ("references=set", ReferenceRule("set", name="shipped")),
        ("references=set-mine", ReferenceRule("set", name="mine")),
        ("references=all", ReferenceRule("all")),
    ],
)
def test_reference_rules_as_options(option, expected):
    assert read_protocol("pascal-50s@1", options=[option]).references == expected


def test_options_change_a_protocol():
    options = ["ties=half", "categories=HC,MM", "measures=pair:accuracy,pair:pearson"]

    changed = read_protocol("pascal-50s", options=options)

    assert changed == get_protocol(
        "pascal-50s@1", ties="half", categories=["HC", "MM"], measures=["pair:accuracy", "pair:pearson"]
    )


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("nobody", [], "protocol nobody: unknown protocol 'nobody'; known are: flickr8k-expert@1"),
        ("flickr8k-expert@9", [], "unknown protocol 'flickr8k-expert@9'"),
        ("custom@1", [], "missing: rows, references, ratings, measures"),
        ("pascal-50s", ["ties"], "an option must be written as OPTION=VALUE, got 'ties'"),
        ("pascal-50s", ["tie=half"], "unknown option of protocol pascal-50s 'tie'"),
        ("pascal-50s", ["references=best"], "unknown reference rule 'best'"),
        ("pascal-50s", ["references=draw-5"], "unknown reference rule 'draw-5'"),
        ("pascal-50s", ["references=draw-5x5x5"], "unknown reference rule 'draw-5x5x5'"),
        ("pascal-50s", ["references=draw-x5"], "unknown reference rule 'draw-x5'"),
    ],
)
def test_what_cannot_be_read_is_named(text, options, message):
    with pytest.raises(ProtocolUnknown, match=message):
        read_protocol(text, options=options)

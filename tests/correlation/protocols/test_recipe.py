import pytest

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.protocols.recipe import Measure, Protocol, ReferenceRule

CHOICES = {
    "name": "mine",
    "version": 2,
    "source": "here",
    "drop_candidates_in_references": False,
    "references": ReferenceRule("all"),
    "ratings": "mean",
    "measures": (Measure("item", "pearson"),),
}


@pytest.mark.parametrize(
    ("rule", "signature"),
    [
        (ReferenceRule("all"), "all"),
        (ReferenceRule("exclude-candidate-per-row"), "exclude-candidate-per-row"),
        (ReferenceRule("exclude-candidates-per-image"), "exclude-candidates-per-image"),
        (ReferenceRule("set", name="shipped"), "set-shipped"),
        (ReferenceRule("draw", size=5, n_draws=3), "draw-3x5"),
    ],
)
def test_reference_rule_prints_its_choices(rule, signature):
    assert rule.signature == signature


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"kind": "some"}, "unknown reference rule 'some'"),
        ({"kind": "set"}, "`name` belongs to kind 'set', got 'set' with name None"),
        ({"kind": "all", "name": "x"}, "`name` belongs to kind 'set', got 'all' with name 'x'"),
        ({"kind": "draw", "size": 5}, "belong to kind 'draw', got 'draw' with 5 and None"),
        ({"kind": "all", "size": 5, "n_draws": 5}, "belong to kind 'draw', got 'all' with 5 and 5"),
        ({"kind": "draw", "size": 0, "n_draws": 5}, "`size` must be at least 1, got 0"),
    ],
)
def test_reference_rule_refuses(choices, message):
    with pytest.raises((CorrelationInputError, UnknownNameError), match=message):
        ReferenceRule(**choices)


def test_signature_prints_every_choice_and_groups_measures_by_level():
    measures = (Measure("item", "pearson"), Measure("group", "spearman"), Measure("item", "kendall-b"))
    protocol = Protocol(**{**CHOICES, "measures": measures, "criteria": ("M1", "M2")})

    assert protocol.signature == (
        "mine@2|rows:all|refs:all|ratings:mean|level:item|coef:pearson+kendall-b|level:group|coef:spearman|crit:M1+M2"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measures": ()}, "`measures` must name at least one level:coefficient, got none"),
        ({"measures": (Measure("pair", "accuracy"), Measure("item", "pearson"))}, "mix level 'pair' with others"),
        ({"ratings": "mode"}, "unknown rule `ratings` 'mode'; known are: each, share-of-yes, mean, median, z-mean"),
        ({"ties": "half"}, "`ties` belong to pairs, mine has ratings"),
        ({"categories": ("a",), "criteria": ("M1",)}, "mine has `categories` and `criteria`: choose one of them"),
        ({"measures": (Measure("pair", "accuracy"),), "ratings": "majority"}, "unknown tie rule None"),
    ],
)
def test_protocol_refuses_choices_that_do_not_fit(change, message):
    with pytest.raises((CorrelationInputError, UnknownNameError), match=message):
        Protocol(**{**CHOICES, **change})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pearson", "a measure is written level:coefficient, got 'pearson'"),
        ("corpus:pearson", "unknown level 'corpus'; known are: item, group, system, global, pair"),
        ("item:accuracy", "unknown coefficient at level 'item' 'accuracy'"),
    ],
)
def test_measure_refuses(text, message):
    with pytest.raises((CorrelationInputError, UnknownNameError), match=message):
        Measure.parse(text)


@pytest.mark.parametrize(
    ("options", "attribute", "value"),
    [
        ({"rows": "drop-own-references"}, "drop_candidates_in_references", True),
        ({"references": "draw"}, "references", ReferenceRule("draw", size=5, n_draws=5)),
        ({"references": ReferenceRule("set", name="c40")}, "references", ReferenceRule("set", name="c40")),
        ({"measures": "item:spearman"}, "measures", (Measure("item", "spearman"),)),
        (
            {"measures": ["item:spearman", Measure("group", "pearson")]},
            "measures",
            (Measure("item", "spearman"), Measure("group", "pearson")),
        ),
        ({"criteria": ["M1"]}, "criteria", ("M1",)),
        ({"ratings": "each"}, "ratings", "each"),
    ],
)
def test_with_options_changes_one_choice(options, attribute, value):
    protocol = Protocol(**CHOICES)

    variant = protocol.with_options(**options)

    assert getattr(variant, attribute) == value
    assert variant.signature != protocol.signature or variant == protocol


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tau": "b"}, "unknown option of protocol mine 'tau'; known are: rows, references, ratings"),
        ({"rows": "some"}, "unknown rule `rows` 'some'; known are: all, drop-own-references"),
        ({"references": "some"}, "unknown reference rule 'some'"),
    ],
)
def test_with_options_refuses(options, message):
    with pytest.raises(UnknownNameError, match=message):
        Protocol(**CHOICES).with_options(**options)

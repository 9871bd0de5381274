import json

import pytest

from correlation.comparison.methods import ComparisonRequest
from correlation.errors import CorrelationInputError
from correlation.protocols.named import get_protocol
from correlation.protocols.reading import ProtocolUnknown
from correlation.resampling.intervals import IntervalRequest
from studies.analysis.explorer.choice import Choice, Slice, change_protocol, find_base, read_json
from studies.enums import TaskKind
from tests.factories.studies import make_study

EXPERT = get_protocol("flickr8k-expert")


@pytest.mark.parametrize(
    ("choice", "signature"),
    [
        (Choice(), "flickr8k-expert@1|rows:drop-own-references|refs:all|ratings:each|level:item|coef:kendall-c"),
        (
            Choice(level="group", coefficient="pearson"),
            "flickr8k-expert@1|rows:drop-own-references|refs:all|ratings:each|level:group|coef:pearson",
        ),
        (
            Choice(aggregation="mean", rows="all", references="exclude-candidate-per-row"),
            "flickr8k-expert@1|rows:all|refs:exclude-candidate-per-row|ratings:mean|level:item|coef:kendall-c",
        ),
    ],
)
def test_a_choice_changes_the_protocol(choice, signature):
    assert change_protocol(EXPERT, choice).signature == signature


def test_a_coefficient_takes_the_place_of_that_of_every_measure():
    changed = change_protocol(get_protocol("diversity"), Choice(coefficient="kendall-b"))

    assert [(each.level, each.coefficient) for each in changed.measures] == [
        ("item", "kendall-b"),
        ("group", "kendall-b"),
    ]


def test_ties_of_pairs_are_chosen():
    assert change_protocol(get_protocol("pascal-50s"), Choice(ties="half")).ties == "half"


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (Choice(level="pair", coefficient="pearson"), "unknown rule `ratings`"),
        (
            Choice(level="pair", coefficient="pearson", aggregation="majority", ties="half"),
            "level 'pair' cannot be used: flickr8k-expert@1 is for ratings",
        ),
        (Choice(ties="half"), "`ties` belong to pairs"),
        (Choice(coefficient="accuracy"), "unknown coefficient at level 'item'"),
        (Choice(references="nonsense"), "unknown reference rule 'nonsense'"),
    ],
)
def test_what_does_not_fit_is_refused(choice, message):
    with pytest.raises(CorrelationInputError, match=message):
        change_protocol(EXPERT, choice)


@pytest.mark.django_db
def test_requests_are_made_of_a_choice():
    study = make_study()

    def choose(n_metrics=10, **chosen):
        made = Choice(**chosen).choose_inference(study, EXPERT, n_metrics=n_metrics)
        return made.interval, made.comparison

    # 2 x 45 / 0.05 = 1,800 resamples, in thousands.
    assert choose() == (IntervalRequest("percentile", ("images",)), ComparisonRequest("perm-input", (), 2000))
    assert choose(test="bootstrap", resampled=("images", "raters"), resamples=500) == (
        IntervalRequest("percentile", ("images", "raters"), 500),
        ComparisonRequest("bootstrap", ("images", "raters"), 500),
    )
    assert choose(test="none")[1] is None
    assert choose(n_metrics=1, test="bootstrap")[1] is None
    assert choose(has_intervals=False) == (None, None)


def test_a_choice_goes_through_json_whole():
    choice = Choice(
        protocol="composite",
        slice=Slice("chosen", ("a", "b"), ("s",), ("HC",), 3, None, "dog"),
        has_intervals=False,
        resampled=("raters", "images"),
        seed=7,
    )

    assert read_json(json.loads(json.dumps(choice.to_json()))) == choice
    assert read_json(json.loads(json.dumps(Choice().to_json()))) == Choice()


@pytest.mark.parametrize(
    ("part", "signature"),
    [
        (Slice(), ""),
        (Slice(systems=("b", "a"), least_words=3), "slice:words-3-+system-a+system-b"),
        (Slice(most_words=3, categories=("HC",), thing="dog"), "slice:words--3+category-HC+object-dog"),
        (Slice(raters="all"), "raters:all"),
        # sha256 of repr(["a", "b"]), whatever the order.
        (Slice(raters="chosen", chosen_raters=("b", "a")), "raters:2-of-list-d26dae36"),
    ],
)
def test_a_slice_is_signed(part, signature):
    assert part.signature == signature


@pytest.mark.django_db
def test_the_base_is_the_studys_own_protocol_unless_another_is_named():
    study = make_study(kind=TaskKind.SET_RATING, protocol="custom@1")

    assert find_base(study, "").reference == "diversity@1"
    assert find_base(study, "composite").reference == "composite@1"
    assert find_base(study, "custom").reference == "diversity@1"
    with pytest.raises(ProtocolUnknown, match="nonsense"):
        find_base(study, "nonsense")

import numpy as np
import pytest

from correlation.agreement.measures import measure_agreement
from correlation.errors import CorrelationInputError
from correlation.protocols.named import get_protocol
from studies.analysis.agreement import NEEDS_PERSONS, choose_coefficients, measure_study
from studies.collection.judgments import load_judgments
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.enums import TaskKind
from studies.models import Item, Study, StudyVersion
from tests.factories.studies import NOW, make_design, make_judgment, make_rater, make_study
from tests.studies.rated import make_rated_study, make_voted_study

pytestmark = pytest.mark.django_db

NOMINAL = ("krippendorff-nominal", "fleiss", "cohen-none")
ICC = ("icc-1", "icc-2", "icc-3", "icc-1k", "icc-2k", "icc-3k")
ORDERED = ("krippendorff-ordinal", "krippendorff-interval")


def set_scale(study, n_levels):
    scale = [{"value": value, "label": str(value)} for value in range(n_levels)]
    StudyVersion.objects.filter(study=study).update(design={**make_design().to_json(), "scale": scale})


@pytest.mark.parametrize(
    ("kind", "n_levels", "expected"),
    [
        (TaskKind.PAIRWISE, 0, NOMINAL),
        (TaskKind.RATING, 2, NOMINAL),
        (TaskKind.RATING, 4, (*NOMINAL, *ORDERED, "cohen-linear", "cohen-quadratic", *ICC)),
        (TaskKind.RATING, 101, (*ORDERED, *ICC)),
        (TaskKind.SET_RATING, 0, (*ORDERED, "krippendorff-ratio", *ICC)),
    ],
)
def test_the_coefficients_are_those_of_the_kind_and_scale(kind, n_levels, expected):
    study = make_study(kind=kind)
    set_scale(study, n_levels)

    judgments = load_judgments(study, get_protocol(study.protocol))

    assert choose_coefficients(study, judgments.table) == expected


def test_without_a_scale_the_values_given_tell():
    study = make_rated_study(score=False)
    StudyVersion.objects.all().delete()

    judgments = load_judgments(study, get_protocol("composite"))

    assert sorted(set(judgments.table.value.tolist())) == [1, 2, 3, 4]
    assert "cohen-linear" in choose_coefficients(study, judgments.table)


def test_the_numbers_are_those_of_the_engine():
    study = make_rated_study(score=False)
    table = load_judgments(study, get_protocol("composite")).table
    expected = measure_agreement(
        item=table.item,
        rater=table.rater,
        value=table.value,
        image=table.image[table.item],
        coefficient="krippendorff-ordinal",
        confidence=0.95,
        n_resamples=50,
        rng=np.random.default_rng(3),
    )

    found = measure_study(study, resamples=50, seed=3)

    (row,) = [row for row in found.agreement if row.coefficient == "krippendorff-ordinal"]
    assert (row.value, row.low, row.high) == (expected.value, expected.low, expected.high)
    assert (row.n_items, row.n_left_out, row.n_raters, row.reason) == (12, 0, 3, None)
    assert found == measure_study(study, resamples=50, seed=3)


def test_ceilings_are_in_the_coefficient_of_the_protocol_and_in_the_published_one():
    found = measure_study(make_rated_study(score=False), resamples=20)

    assert [(row.method, row.coefficient, row.n, row.n_parts) for row in found.ceilings] == [
        ("mean-pairwise", "kendall-c", 36, 3),
        ("mean-pairwise", "kendall-b", 36, 3),
        ("leave-one-out", "kendall-c", 36, 3),
        ("leave-one-out", "kendall-b", 36, 3),
        ("split-half", "kendall-c", 1200, 100),
        ("split-half", "kendall-b", 1200, 100),
    ]
    assert all(row.low < row.value < row.high for row in found.ceilings[:4])


def test_positions_are_not_compared_as_persons():
    found = measure_study(make_rated_study(score=False, are_placeholders=True), resamples=20)

    undefined = {row.coefficient for row in found.agreement if row.value is None}
    assert undefined == set(NEEDS_PERSONS)
    assert {row.reason for row in found.agreement if row.value is None} == {
        "its raters are placeholders (first vote, second vote, ...), not individual raters, and cannot be compared"
    }
    assert {row.method for row in found.ceilings} == {"split-half"}


@pytest.mark.parametrize("are_placeholders", [True, False])
def test_votes_are_compared_with_the_others_of_their_pair(are_placeholders):
    study = make_voted_study(score=False, are_placeholders=are_placeholders)

    found = measure_study(study, resamples=20)

    accuracy, *_, pearson = found.ceilings
    assert (accuracy.method, accuracy.coefficient, accuracy.reason) == ("leave-one-vote-out", "accuracy", None)
    assert 0.5 < accuracy.low <= accuracy.value <= accuracy.high <= 1
    assert accuracy.n <= 12 < accuracy.n_parts <= 36
    assert (pearson.coefficient, pearson.level, pearson.n_parts) == ("pearson", "pair", 100)
    assert [row.coefficient for row in found.agreement] == list(NOMINAL)


def test_what_is_undefined_says_why():
    study = make_study(protocol="composite@1")
    make_judgment(Item.objects.first(), make_rater(study), 2)

    found = measure_study(study, resamples=20)

    assert {row.value for row in (*found.agreement, *found.ceilings)} == {None}
    assert found.agreement[0].reason == "no item has two judgments"


def test_each_criterion_has_its_own_numbers():
    study = make_rated_study(score=False, protocol="coco-2015@1", n_items=24)
    Item.objects.update(category="M1")
    Item.objects.filter(task__position__lt=8).update(category="M2")

    found = measure_study(study, protocol_options=["criteria=M1,M2"], resamples=20)

    fleiss = {row.criterion: row for row in found.agreement if row.coefficient == "fleiss"}
    assert {criterion: row.n_items for criterion, row in fleiss.items()} == {"M1": 16, "M2": 8}
    assert [row.criterion for row in found.ceilings] == ["M1"] * 3 + ["M2"] * 3


def test_an_open_protocol_is_that_of_a_new_study():
    found = measure_study(make_rated_study(score=False, protocol="custom@1"), resamples=20)

    assert found.protocol.endswith("level:item|coef:pearson+spearman+kendall-c")


def test_a_study_without_judgments():
    with pytest.raises(CorrelationInputError, match="study study has no judgments yet"):
        measure_study(make_study())


def test_flickr8k_expert(data_folder):
    import_data("flickr8k-expert", options=ImportOptions(source=data_folder / "flickr8k"), now=NOW)

    found = measure_study(Study.objects.get(), resamples=20)

    # The mean pairwise tau-b of the three experts over the 5,664 rows of the protocol: .736 in Cui et al. (2018).
    ceiling = next(row for row in found.ceilings if (row.method, row.coefficient) == ("mean-pairwise", "kendall-b"))
    assert round(ceiling.value, 3) == 0.736
    assert (ceiling.n, ceiling.n_parts) == (3 * 5664, 3)
    assert ceiling.low < ceiling.value < ceiling.high
    # By krippendorff 0.9.0, level_of_measurement="ordinal", on the same 3 x 5,822 judgments.
    alpha = next(row for row in found.agreement if row.coefficient == "krippendorff-ordinal")
    assert (alpha.n_items, round(alpha.value, 12)) == (5822, 0.693894654903)

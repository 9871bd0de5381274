import pytest
from django.http import QueryDict

from studies.analysis.explorer.choice import Choice, Slice
from studies.analysis.explorer.loaded_study import open_study
from studies.enums import TaskKind
from studies.forms.analysis.explorer import ExplorerForm
from studies.models import System
from tests.factories.studies import make_study
from tests.studies.analysis.explorer.test_slices import make_sliced_study
from tests.studies.rated import make_voted_study

pytestmark = pytest.mark.django_db
ALL = (
    "protocol=composite%401&level=group&coefficient=kendall-b&aggregation=median&rows=all&references=all&metric=length"
    "&raters=chosen&rater=rater-0&rater=rater-1&system=first&category=HC&category=HM&words_from=2&words_to=7&object=dog"
    "&intervals=off&over=images&over=raters&method=bca&resamples=200&test=perm-both&correction=bh&seed=3&multiverse=on"
)


def fill_in(study, query=""):
    data = QueryDict(query)
    return ExplorerForm(data, opened=open_study(study, protocol=data.get("protocol", "")))


def test_an_empty_address_is_the_studys_own_protocol():
    form = fill_in(make_sliced_study())

    assert form.is_valid(), form.errors
    assert (form.choice, form.write_query()) == (Choice(), "")


def test_an_address_may_contain_default_choices():
    form = fill_in(make_sliced_study(), "method=percentile&test=perm-input&correction=holm&over=images&intervals=on")

    assert form.is_valid(), form.errors
    assert (form.choice, form.write_query()) == (Choice(), "")


def test_an_address_says_every_choice_and_is_written_again():
    form = fill_in(make_sliced_study(), ALL)

    assert form.is_valid(), form.errors
    assert form.write_query() == ALL
    assert form.choice == Choice(
        protocol="composite@1",
        level="group",
        coefficient="kendall-b",
        aggregation="median",
        rows="all",
        references="all",
        slice=Slice("chosen", ("rater-0", "rater-1"), ("first",), ("HC", "HM"), 2, 7, "dog"),
        has_intervals=False,
        resampled=("images", "raters"),
        method="bca",
        resamples=200,
        test="perm-both",
        correction="bh",
        seed=3,
    )


def test_what_is_as_if_nothing_was_said_is_left_out_of_the_address():
    form = fill_in(make_sliced_study(), "protocol=&level=&raters=kept&over=images&metric=&seed=&intervals=on&strange=1")

    assert form.is_valid(), form.errors
    assert form.write_query() == ""


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ("coefficient=nonsense", "coefficient", "Select a valid choice. nonsense is not one of the available choices."),
        ("protocol=nonsense", "protocol", "There is no protocol “nonsense”; choose one from the list."),
        ("rater=nobody", "rater", "Select a valid choice. nobody is not one of the available choices."),
        ("words_from=9&words_to=3", "words_to", "must be at least the minimum, 9, got 3"),
        ("words_from=many", "words_from", "Enter a whole number."),
        ("raters=chosen", "rater", "select at least one rater, or all raters"),
        ("resamples=1000000", "resamples", "Ensure this value is less than or equal to 10000."),
        (
            "intervals=on&method=jackknife&over=images&over=raters",
            "__all__",
            "method 'jackknife' needs 1 to 1 different axes in `resampled`, got ('images', 'raters')",
        ),
    ],
)
def test_what_cannot_be_is_told_at_its_field(query, field, message):
    form = fill_in(make_sliced_study(), query)

    assert not form.is_valid()
    assert form.errors == {field: [message]}


def test_a_protocol_that_is_written_out_is_read():
    signature = "custom@1|rows:all|refs:all|ratings:median|level:item|coef:pearson"
    form = fill_in(make_sliced_study(), f"protocol={signature}")

    assert form.is_valid(), form.errors
    assert form.choice.protocol == signature
    assert (signature, "custom@1, from the URL") in form.fields["protocol"].choices


def test_pairs_are_asked_for_their_ties_and_not_for_levels():
    form = fill_in(make_voted_study(), "ties=first&coefficient=pearson")

    assert form.is_valid(), form.errors
    assert {"level", "aggregation", "rows"} & set(form.fields) == set()
    assert (form.choice.ties, form.choice.coefficient) == ("first", "pearson")


def test_protocols_of_siblings_name_the_study():
    study = make_sliced_study()
    make_study("sibling", protocol="composite@1", kind=TaskKind.RATING)
    study.dataset.studies.create(
        name="judged-again", title="Again", kind=TaskKind.RATING, protocol="flickr8k-cf@1", created_at=study.created_at
    )

    choices = dict(fill_in(study).fields["protocol"].choices)

    assert choices[""] == "protocol of the study (custom@1)"
    assert choices["flickr8k-cf@1"] == "flickr8k-cf@1, judgments of judged-again"
    assert choices["composite@1"] == "composite@1"
    assert "pascal-50s@1" not in choices


def test_only_what_differs_can_be_sliced():
    study = make_sliced_study()
    System.objects.filter(dataset=study.dataset, name="second").update(name="other")

    fields = fill_in(study).fields

    assert [value for value, _ in fields["system"].choices] == ["first", "other"]
    assert [value for value, _ in fields["category"].choices] == ["HC", "HM"]
    assert fields["rater"].choices == [(f"rater-{number}", f"rater-{number} (12)") for number in range(3)]
    assert fill_in(make_voted_study()).fields["system"].choices == []


def test_systems_are_the_default_units_at_system_level():
    form = fill_in(make_sliced_study(), "level=system&method=percentile")

    assert form.is_valid(), form.errors
    assert form["over"].value() == ["systems"]
    assert form.fields["method"].choices[0] == ("", "jackknife")
    assert form.fields["test"].choices[0] == ("", "permutations of systems (perm-system)")
    assert (form.choice.method, form.choice.resampled) == ("percentile", ())

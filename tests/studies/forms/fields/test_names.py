"""Tests of the name of a new study, which must be valid in addresses and unique."""

import pytest
from django import forms

from studies.forms.fields.names import FreeNameField, fill_name
from tests.factories.studies import make_study

pytestmark = pytest.mark.django_db


def test_free_name_is_taken_as_it_is() -> None:
    assert FreeNameField().clean(" my-study_2 ") == "my-study_2"


@pytest.mark.parametrize("length", [5, 90])
def test_name_that_is_taken_gets_a_number(length) -> None:
    name = "x" * length
    make_study(name)
    second = FreeNameField().clean(name)
    make_study(second)

    assert (second, FreeNameField().clean(name)) == (f"{name[:84]}-2", f"{name[:84]}-3")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("two words", "This must be 1 to 90 letters, digits, hyphens and underscores, got 'two words'"),
        ("new", "This must not be the name of a page, got 'new'"),
        ("x" * 91, "at most 90 characters"),
    ],
)
def test_other_names_are_refused_with_the_rule(name, told) -> None:
    with pytest.raises(forms.ValidationError) as refusal:
        FreeNameField().clean(name)

    assert told in refusal.value.messages[0]


def test_empty_name_is_made_from_the_title_and_a_given_one_stays() -> None:
    make_study("beach-test")

    assert fill_name({"name": "", "title": "Beach test"}) == {"name": "beach-test-2", "title": "Beach test"}
    assert fill_name({"name": "mine", "title": "Beach test"})["name"] == "mine"
    assert fill_name({"title": "Beach test"}) == {"title": "Beach test"}

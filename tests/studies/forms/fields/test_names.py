"""Tests of the name of a new study, which must be valid in addresses and unique."""

import pytest
from django import forms

from studies.forms.fields.names import FreeNameField
from tests.factories.studies import make_study

pytestmark = pytest.mark.django_db


def test_free_name_is_taken_as_it_is() -> None:
    assert FreeNameField().clean(" my-study_2 ") == "my-study_2"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "This field is required."),
        ("two words", "This must be 1 to 90 letters, digits, hyphens and underscores, got 'two words'"),
        ("new", "This must not be the name of a page, got 'new'"),
        ("taken", "This must not be the name of an existing study or dataset, got 'taken'"),
        ("x" * 91, "at most 90 characters"),
    ],
)
def test_other_names_are_refused_with_the_rule(name, told) -> None:
    make_study("taken")

    with pytest.raises(forms.ValidationError) as refusal:
        FreeNameField().clean(name)

    assert told in refusal.value.messages[0]

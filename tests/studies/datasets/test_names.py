"""Tests of names of studies that are made from titles."""

import pytest

from studies.datasets.names import choose_name, propose_name
from studies.shared.errors import ImportFailed
from tests.factories.studies import make_study, make_user


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Beach test", "beach-test"),
        ("  Wie gut? Über “Bilder” ", "wie-gut-uber-bilder"),
        ("沙滩", "study"),
        ("New", "new-study"),
        ("x" * 200, "x" * 84),
    ],
)
def test_a_name_is_made_from_the_title(title, name) -> None:
    assert propose_name(title) == name


@pytest.mark.django_db
def test_a_taken_name_gets_a_number_without_telling_whose_it_is_and_an_own_one_is_refused() -> None:
    owner = make_user("owner")
    make_study("beach-test", owner=make_user("somebody"))
    make_study("mine", owner=owner)

    assert choose_name("", title="Beach test", owner=owner) == "beach-test-2"
    assert choose_name("beach-test", title="", owner=owner) == "beach-test-2"
    assert choose_name("", title="Mine", owner=owner) == "mine-2"
    with pytest.raises(ImportFailed, match="must not be the name of another of your studies"):
        choose_name("mine", title="", owner=owner)
    with pytest.raises(ImportFailed, match="the title: must not be empty if there is no name"):
        choose_name("", title=" ", owner=owner)

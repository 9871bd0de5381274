"""Tests of the dialog of keyboard shortcuts."""

import re

import pytest
from django.template import Context, Template

from tests.factories.studies import make_study, make_user

pytestmark = pytest.mark.django_db


def list_letters(**context):
    shown = Template("{% load shortcuts %}{% shortcuts %}").render(Context(context))
    return re.findall(r'href="([^"]+)" data-letter="(\w)"', shown)


def test_every_page_has_a_letter_of_its_own():
    owner = make_user()
    found = list_letters(user=owner, study=make_study(owner=owner))

    assert ("/studies/study/reports/", "t") in found
    assert len({letter for _, letter in found}) == len(found) == 18


def test_pages_of_a_study_are_listed_for_those_who_may_see_it():
    study = make_study(owner=make_user())

    assert not any("/studies/study/" in page for page, _ in list_letters(user=make_user("stranger"), study=study))
    assert len(list_letters(user=study.owner)) == 7

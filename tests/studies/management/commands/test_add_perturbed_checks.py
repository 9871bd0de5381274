"""Tests of the command that adds checks with distorted captions."""

import pytest
from django.core.management import CommandError, call_command

from studies.enums import PERTURBED
from studies.models import AuditEntry, Item
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.studies.preregistered import make_preregistration

pytestmark = pytest.mark.django_db


def test_prints_what_was_added(capsys):
    make_designed_study(n_tasks=4)

    call_command("add_perturbed_checks", "study", "--number=3", "--distortions=wp,rw")

    assert capsys.readouterr().out.splitlines() == [
        "study: checks with captions of perturbed-wp: 2",
        "study: checks with captions of perturbed-rw: 1",
        "the design does not use checks yet: set their frequency with the field `checks.every`",
    ]


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (make_designed_study, ["--distortions=xx"], "must be of rc, wp, rw, got xx"),
        (make_open_study, [], "has started"),
    ],
)
def test_refusals_are_said(make, options, message):
    make()

    with pytest.raises(CommandError, match=message):
        call_command("add_perturbed_checks", "study", "--number=1", *options)


def test_preregistered_study_needs_a_confirmation():
    study = make_designed_study(n_tasks=4)
    make_preregistration(study)
    asked = ("add_perturbed_checks", "study", "--number=1", "--distortions=wp")

    with pytest.raises(CommandError, match=r"deviates from preregistration 1 .* add --confirm-deviation\."):
        call_command(*asked)
    assert not Item.objects.filter(category=PERTURBED).exists()
    call_command(*asked, "--confirm-deviation", "--deviation-reason", "Bots.")

    details = AuditEntry.objects.get().details
    assert (details["deviates_from"], details["deviations"], details["deviation_reason"]) == (1, ["items"], "Bots.")

"""Tests of changing the title and the protocol; a protocol that does not fit is rejected."""

import pytest

from correlation.protocols.reading import ProtocolUnknown
from studies.access.audit import Actor
from studies.analysis.preregistration.deviations import list_study_deviations
from studies.design.preregistration.declaration import AnalysisPlan, preregister_study
from studies.design.preregistration.deviations import Confirmation, DeviationNotConfirmed, find_registration
from studies.design.renaming import rename_study
from studies.enums import Interface
from studies.models import AuditEntry, Study
from tests.factories.studies import NOW, make_study

pytestmark = pytest.mark.django_db
SOMEBODY = Actor(user=None, interface=Interface.API)


def test_what_differs_is_kept_and_written_down():
    study = make_study()

    assert rename_study(study, title="Better", protocol="flickr8k-expert@1", now=NOW, actor=SOMEBODY)

    entry = AuditEntry.objects.get()
    assert (Study.objects.get().title, entry.action, entry.interface) == ("Better", "renamed", "api")
    assert entry.details == {"title": {"was": "Study", "is": "Better"}}


def test_nothing_differs():
    study = make_study()

    assert not rename_study(study, title="Study", now=NOW, actor=SOMEBODY)
    assert not rename_study(study, now=NOW, actor=SOMEBODY)
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("protocol", "reason"),
    [
        ("nothing@1", "protocol nothing@1: "),
        ("pascal-50s@1", "study study: must be a protocol for ratings, got pascal"),
    ],
)
def test_protocols_that_cannot_be(protocol, reason):
    study = make_study()

    with pytest.raises(ProtocolUnknown) as refused:
        rename_study(study, title="Better", protocol=protocol, now=NOW, actor=SOMEBODY)

    assert str(refused.value).startswith(reason)
    assert (Study.objects.get().title, AuditEntry.objects.count()) == ("Study", 0)


def test_another_protocol_than_registered_departs():
    study = make_study()
    plan = AnalysisPlan("flickr8k-expert@1", "kendall-c", ("length",), "perm-both", 0.05, "holm", "When done.")
    preregister_study(study, plan=plan, now=NOW, actor=SOMEBODY)

    with pytest.raises(DeviationNotConfirmed, match="protocol: preregistered flickr8k-expert@1, now flickr8k-cf@1"):
        rename_study(study, protocol="flickr8k-cf@1", now=NOW, actor=SOMEBODY)
    assert (study.protocol, list_study_deviations(study)) == ("flickr8k-expert@1", ())
    rename_study(study, title="Another title", now=NOW, actor=SOMEBODY)
    assert find_registration(study).has_deviations is False
    confirmed = Confirmation(is_given=True, reason="A new version.")
    rename_study(study, protocol="flickr8k-cf@1", now=NOW, actor=SOMEBODY, confirmation=confirmed)

    assert find_registration(study).has_deviations is True
    assert AuditEntry.objects.first().details == {
        "protocol": {"was": "flickr8k-expert@1", "is": "flickr8k-cf@1"},
        "deviates_from": 1,
        "deviations": ["protocol"],
        "deviation_reason": "A new version.",
    }
    assert [str(each) for each in list_study_deviations(study)] == [
        "protocol: preregistered flickr8k-expert@1, now flickr8k-cf@1"
    ]

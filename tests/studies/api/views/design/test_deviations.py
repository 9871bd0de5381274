"""Tests of changes by the API that deviate from the preregistration: 409 with what deviates, until confirmed."""

import pytest

from studies.design.preregistration.deviations import find_registration
from studies.models import AuditEntry, Exclusion, ScoringRequest, StudyVersion
from tests.studies.preregistered import make_preregistration

pytestmark = pytest.mark.django_db
TEXT = {"changes": {"thanks": "Thank you!"}}
RULE = {"kind": "interval-width", "width": 0.1}
CALLS = [
    ("post", "versions/", TEXT, "design thanks"),
    ("put", "stopping/", RULE, "design stopping_rule.kind"),
    ("patch", "", {"protocol": "flickr8k-cf@1"}, "protocol"),
    ("post", "runs/", {"metrics": ["bleu-1"]}, "metrics added"),
    ("post", "exclusions/", {"rater": "rater-1", "reason": "Odd."}, "rater excluded manually"),
]


@pytest.fixture(autouse=True)
def _registered(study):
    make_preregistration(study)


@pytest.mark.parametrize(("method", "address", "data", "what"), CALLS)
def test_deviation_is_refused_until_it_is_confirmed(api, study, method, address, data, what):
    protocol, n_versions = study.protocol, StudyVersion.objects.count()

    refused = api.send(method, address, data)

    problem = refused.json()
    assert (refused.status_code, refused["Content-Type"]) == (409, "application/problem+json")
    assert problem["detail"].startswith(f"this deviates from preregistration 1 and must be confirmed: {what}: ")
    assert problem["detail"].endswith("To make the change, repeat the request with ?confirm_deviation=true.")
    assert problem["errors"][0]["field"] == what
    study.refresh_from_db()
    assert (study.protocol, StudyVersion.objects.count()) == (protocol, n_versions)
    assert [each.objects.count() for each in (Exclusion, ScoringRequest, AuditEntry)] == [0, 0, 0]

    done = api.send(method, f"{address}?confirm_deviation=true&deviation_reason=Needed.", data)

    assert done.status_code in (200, 201, 202)
    details = AuditEntry.objects.get().details
    assert (details["deviates_from"], details["deviation_reason"], what in details["deviations"]) == (
        1,
        "Needed.",
        True,
    )
    assert find_registration(study).has_deviations


def test_confirmation_that_is_not_true_is_none(api):
    assert api.send("post", "versions/?confirm_deviation=false", TEXT).status_code == 409


def test_what_was_not_declared_needs_no_confirmation(api, study):
    renamed = api.send("patch", "", {"title": "Another title"})
    run = api.send("post", "runs/", {"metrics": ["length"]})

    assert (renamed.status_code, run.status_code) == (200, 202)
    assert find_registration(study).has_deviations is False

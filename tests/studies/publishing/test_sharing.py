"""A link leads to its one report until it is revoked, and its token is kept nowhere."""

import hashlib
from datetime import timedelta

import pytest

from studies.access.auditing import Actor
from studies.analysis.analysis import gather_observations
from studies.analysis.reporting import report_observations
from studies.enums import AuditAction, Door
from studies.models import AuditEntry, ReportLink
from studies.publishing.freezing import freeze_report
from studies.publishing.sharing import count_view, find_shared, revoke_link, share_report
from tests.factories.studies import NOW, make_user
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=1)


@pytest.fixture
def report():
    study = make_rated_study()
    return freeze_report(study, report_observations(gather_observations(study)), now=NOW)


@pytest.fixture
def actor():
    return Actor(user=make_user("analyst"), door=Door.PAGE)


def test_a_token_leads_to_its_report_and_is_not_kept(report, actor):
    made, other = (share_report(report, actor=actor, now=NOW) for _ in range(2))

    assert find_shared(made.token) == report
    assert made.token != other.token
    assert len(made.token) == 43
    link = ReportLink.objects.get(pk=made.link.pk)
    assert (link.digest, link.hint) == (hashlib.sha256(made.token.encode()).hexdigest(), made.token[-4:])
    assert made.token not in str(vars(link)) + str(list(AuditEntry.objects.values_list("details", flat=True)))


def test_a_revoked_link_leads_nowhere_and_the_others_still_do(report, actor):
    made, other = (share_report(report, actor=actor, now=NOW) for _ in range(2))

    assert revoke_link(made.link, actor=actor, now=LATER)
    assert not revoke_link(made.link, actor=actor, now=LATER)

    assert find_shared(made.token) is None
    assert find_shared(other.token) == report
    assert find_shared("") is None
    assert [entry.action for entry in AuditEntry.objects.filter(actor=actor.user).order_by("pk")] == [
        AuditAction.SHARED,
        AuditAction.SHARED,
        AuditAction.UNSHARED,
    ]


def test_views_are_counted(report, actor):
    made = share_report(report, actor=actor, now=NOW)

    count_view(made.token)
    count_view(made.token)

    made.link.refresh_from_db()
    assert made.link.n_views == 2

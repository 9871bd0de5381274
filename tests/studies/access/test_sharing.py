"""Tests of links to reports, valid until they expire, are revoked or their creator leaves; tokens are not stored."""

import hashlib
from datetime import timedelta

import pytest

from studies.access.audit import Actor
from studies.access.members import remove_member
from studies.access.sharing import count_view, find_shared, revoke_link, share_report
from studies.access.terms import DaysRefused
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.enums import AuditAction, Interface, MemberRole
from studies.models import AuditEntry, ReportLink, StudyMember
from studies.publishing.freezing import freeze_report
from tests.factories.studies import NOW, make_member, make_user
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=1)


@pytest.fixture
def report():
    study = make_rated_study()
    return freeze_report(study, report_observations(gather_observations(study)), now=NOW)


@pytest.fixture
def actor(report):
    analyst = make_user("analyst")
    make_member(report.study, analyst, MemberRole.ANALYST)
    return Actor(user=analyst, interface=Interface.PAGE)


def test_a_token_leads_to_its_report_and_is_not_kept(report, actor):
    made, other = (share_report(report, actor=actor, now=NOW) for _ in range(2))

    assert find_shared(made.token, now=NOW) == report
    assert made.token != other.token
    assert len(made.token) == 43
    link = ReportLink.objects.get(pk=made.link.pk)
    assert (link.digest, link.hint) == (hashlib.sha256(made.token.encode()).hexdigest(), made.token[-4:])
    assert made.token not in str(vars(link)) + str(list(AuditEntry.objects.values_list("details", flat=True)))


def test_a_revoked_link_leads_nowhere_and_the_others_still_do(report, actor):
    made, other = (share_report(report, actor=actor, now=NOW) for _ in range(2))

    assert revoke_link(made.link, actor=actor, now=LATER)
    assert not revoke_link(made.link, actor=actor, now=LATER)

    assert find_shared(made.token, now=LATER) is None
    assert find_shared(other.token, now=LATER) == report
    assert find_shared("", now=LATER) is None
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


@pytest.mark.parametrize(("days", "expected"), [(None, 5), (1, 1), (20, 20)])
def test_a_link_ends_when_it_expires(report, actor, settings, days, expected):
    settings.ACCORDANCE_LINK_DAYS, settings.ACCORDANCE_LINK_DAYS_MOST = 5, 20
    made = share_report(report, actor=actor, now=NOW, days=days)
    end = NOW + timedelta(days=expected)

    assert made.link.expires_at == end
    assert find_shared(made.token, now=end - timedelta(seconds=1)) == report
    assert find_shared(made.token, now=end) is None


@pytest.mark.parametrize("days", [0, -1, 21, 10**12])
def test_a_link_is_not_made_for_longer_than_may_be(report, actor, settings, days):
    settings.ACCORDANCE_LINK_DAYS_MOST = 20

    with pytest.raises(DaysRefused, match=f"from 1 to 20, got {days}"):
        share_report(report, actor=actor, now=NOW, days=days)

    assert ReportLink.objects.count() == 0


def test_a_link_ends_with_its_makers_membership_and_does_not_come_back(report, actor):
    made = share_report(report, actor=actor, now=NOW)
    owner = Actor(make_user("owner"), Interface.PAGE)

    remove_member(StudyMember.objects.get(), actor=owner, now=LATER)
    assert find_shared(made.token, now=LATER) is None
    make_member(report.study, actor.user, MemberRole.ANALYST)

    assert find_shared(made.token, now=LATER) is None
    assert ReportLink.objects.get().revoked_at == LATER
    assert AuditEntry.objects.latest("pk").action == AuditAction.UNSHARED


def test_a_link_is_good_for_nothing_while_its_maker_is_no_member(report, actor):
    made = share_report(report, actor=actor, now=NOW)

    StudyMember.objects.all().delete()

    assert find_shared(made.token, now=NOW) is None


def test_a_link_of_somebody_dismissed_leads_nowhere(report, actor):
    made = share_report(report, actor=actor, now=NOW)
    actor.user.is_active = False
    actor.user.save()

    assert find_shared(made.token, now=NOW) is None

from datetime import timedelta

import pytest

from studies.access.audit import COMMAND_LINE, Actor
from studies.access.members import remove_member
from studies.access.terms import DaysRefused
from studies.access.token_secrets import PREFIX
from studies.access.tokens import find_token, list_tokens, make_token, revoke_token
from studies.enums import Interface, MemberRole
from studies.models import ApiToken, AuditEntry, StudyMember
from tests.factories.studies import NOW, make_member, make_study, make_user

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def actor():
    return Actor(make_user(), Interface.PAGE)


def _make(actor, **extra):
    study = make_study(owner=actor.user)
    return make_token(study, name="notebook", role=MemberRole.ANALYST, actor=actor, now=NOW, **extra)


def test_a_token_is_found_by_its_secret_which_is_not_kept(actor):
    made = _make(actor)

    found = find_token(made.secret, now=LATER)

    assert found == made.token
    assert made.secret.startswith(PREFIX)
    assert len(made.secret) == len(PREFIX) + 43
    kept = [str(value) for row in ApiToken.objects.values_list() for value in row]
    assert [value for value in kept if made.secret in value or made.secret[len(PREFIX) :] in value] == []
    assert made.secret not in str(AuditEntry.objects.values_list("details", flat=True))
    assert made.token.hint == made.secret[-4:]


@pytest.mark.parametrize("secret", ["", "acc_", "acc_nobody", "\0", "ä" * 1000])
def test_an_unknown_secret_finds_nothing(actor, secret):
    _make(actor)

    assert find_token(secret, now=NOW) is None


def test_a_revoked_token_is_refused_and_the_second_time_changes_nothing(actor):
    made = _make(actor)

    assert revoke_token(made.token, actor=actor, now=LATER)
    assert not revoke_token(made.token, actor=actor, now=LATER)

    assert find_token(made.secret, now=LATER) is None
    actions = AuditEntry.objects.order_by("pk").values_list("action", "details")
    named = {"token": made.token.pk, "name": "notebook", "hint": made.token.hint}
    assert list(actions) == [("token_made", {**named, "role": "analyst"}), ("token_revoked", named)]


@pytest.mark.parametrize(("days", "expected"), [(None, 5), (1, 1), (20, 20)])
def test_a_token_ends_at_its_time(actor, settings, days, expected):
    settings.ACCORDANCE_TOKEN_DAYS, settings.ACCORDANCE_TOKEN_DAYS_MOST = 5, 20
    made = _make(actor, days=days)
    end = NOW + timedelta(days=expected)

    assert made.token.expires_at == end
    assert find_token(made.secret, now=end - timedelta(seconds=1)) == made.token
    assert find_token(made.secret, now=end) is None


@pytest.mark.parametrize(("default", "most", "expected"), [(90, 20, 20), (0, 20, 1), (90, 0, 1)])
def test_no_setting_makes_tokens_without_an_end(actor, settings, default, most, expected):
    settings.ACCORDANCE_TOKEN_DAYS, settings.ACCORDANCE_TOKEN_DAYS_MOST = default, most

    assert _make(actor).token.expires_at == NOW + timedelta(days=expected)


def test_a_token_ends_with_its_makers_membership_and_does_not_come_back(actor):
    ann = make_user("ann")
    study = make_study(owner=actor.user)
    member = make_member(study, ann, MemberRole.ANALYST)
    made = make_token(study, name="script", role=MemberRole.VIEWER, actor=Actor(ann, Interface.PAGE), now=NOW)
    other = make_token(study, name="mine", role=MemberRole.VIEWER, actor=actor, now=NOW)
    assert find_token(made.secret, now=NOW) == made.token

    remove_member(member, actor=actor, now=LATER)
    assert find_token(made.secret, now=LATER) is None
    make_member(study, ann, MemberRole.ANALYST)

    assert find_token(made.secret, now=LATER) is None
    assert find_token(other.secret, now=LATER) == other.token
    assert ApiToken.objects.get(made_by=ann).revoked_at == LATER
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "token_made",
        "token_made",
        "member_removed",
        "token_revoked",
    ]


def test_a_token_is_good_for_nothing_while_its_maker_is_no_member(actor):
    ann = make_user("ann")
    study = make_study()
    make_member(study, ann, MemberRole.ANALYST)
    made = make_token(study, name="script", role=MemberRole.VIEWER, actor=Actor(ann, Interface.PAGE), now=NOW)

    StudyMember.objects.all().delete()

    assert find_token(made.secret, now=NOW) is None


def test_a_token_of_somebody_dismissed_is_refused(actor):
    made = _make(actor)
    actor.user.is_active = False
    actor.user.save()

    assert find_token(made.secret, now=NOW) is None


def test_use_of_a_token_is_recorded_once_a_minute(actor, django_assert_num_queries):
    made = _make(actor)
    assert find_token(made.secret, now=NOW).last_used_at == NOW

    with django_assert_num_queries(1):
        find_token(made.secret, now=NOW + timedelta(seconds=59))
    with django_assert_num_queries(2):
        find_token(made.secret, now=NOW + timedelta(seconds=60))

    assert ApiToken.objects.get().last_used_at == NOW + timedelta(seconds=60)


def test_a_token_needs_a_maker(actor):
    with pytest.raises(ValueError, match="needs a user, got no user"):
        make_token(make_study(), name="x", role="viewer", actor=COMMAND_LINE, now=NOW)
    assert ApiToken.objects.count() == AuditEntry.objects.count() == 0


@pytest.mark.parametrize("days", [0, -1, 21, 10**12])
def test_a_token_is_not_made_for_longer_than_may_be(actor, settings, days):
    settings.ACCORDANCE_TOKEN_DAYS_MOST = 20

    with pytest.raises(DaysRefused, match=f"from 1 to 20, got {days}"):
        _make(actor, days=days)

    assert ApiToken.objects.count() == AuditEntry.objects.count() == 0


def test_tokens_of_all_and_of_one(actor):
    made, other = _make(actor), Actor(make_user("other"), Interface.API)
    study = made.token.study
    later = make_token(study, name="script", role=MemberRole.VIEWER, actor=other, now=LATER)

    assert list(list_tokens(study)) == [later.token, made.token]
    assert list(list_tokens(study, made_by=other.user)) == [later.token]

"""Users for tests of permissions, and a study with which they all have some relation."""

from django.contrib.auth.models import AnonymousUser

from studies.enums import MemberRole
from tests.factories.studies import make_member, make_rater, make_study, make_user

PEOPLE = (
    "owner",
    "editor",
    "analyst",
    "viewer",
    "colleague",
    "stranger",
    "rater",
    "superuser",
    "dismissed",
    "anonymous",
)


def make_people(study):
    """Make everybody who may come to a study: by role, each with that name.

    The rater judges in the study and has no account; to the site that is nobody.
    """
    people = {name: make_user(name) for name in ("editor", "analyst", "viewer", "colleague", "stranger")}
    people["owner"] = study.owner
    people["superuser"] = make_user("superuser", is_superuser=True, is_staff=True)
    people["dismissed"] = make_user("dismissed", is_active=False)
    people["anonymous"] = people["rater"] = AnonymousUser()
    make_rater(study, "a-rater")
    make_member(study, people["editor"], MemberRole.EDITOR)
    make_member(study, people["analyst"], MemberRole.ANALYST)
    make_member(study, people["viewer"], MemberRole.VIEWER)
    make_member(study, people["dismissed"], MemberRole.EDITOR)
    # Being an owner or an editor elsewhere gives nothing here.
    elsewhere = make_study("elsewhere", owner=people["stranger"])
    make_member(elsewhere, people["viewer"], MemberRole.EDITOR)
    make_member(elsewhere, people["colleague"], MemberRole.EDITOR)
    return people

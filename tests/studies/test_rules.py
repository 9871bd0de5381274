import pytest

from studies.enums import MemberRole
from studies.rules import ANALYSE_STUDY, CHANGE_STUDY, MANAGE_STUDY, RIGHTS_OF_ROLES, VIEW_STUDY
from tests.factories.studies import make_member, make_study, make_user
from tests.studies.people import PEOPLE, make_people

ALL = {VIEW_STUDY, ANALYSE_STUDY, CHANGE_STUDY, MANAGE_STUDY}
MAY = {
    "owner": ALL,
    "editor": ALL - {MANAGE_STUDY},
    "analyst": {VIEW_STUDY, ANALYSE_STUDY},
    "viewer": {VIEW_STUDY},
    "superuser": ALL,
}
NOBODYS = {"superuser": ALL}


@pytest.mark.django_db
@pytest.mark.parametrize("role", PEOPLE)
def test_permissions_of_a_study(role):
    study = make_study(owner=make_user("owner"))
    person = make_people(study)[role]

    allowed = {permission for permission in ALL if person.has_perm(permission, study)}

    assert allowed == MAY.get(role, set())


@pytest.mark.django_db
@pytest.mark.parametrize("role", PEOPLE)
def test_permissions_of_a_study_without_owner(role):
    person = make_people(make_study("other", owner=make_user("owner")))[role]
    study = make_study("imported", owner=None)

    allowed = {permission for permission in ALL if person.has_perm(permission, study)}

    assert allowed == NOBODYS.get(role, set())


@pytest.mark.django_db
def test_owning_a_study_opens_no_admin():
    owner = make_user("owner", is_staff=True)
    make_study(owner=owner)

    assert owner.has_perm(VIEW_STUDY) is False


@pytest.mark.django_db
@pytest.mark.parametrize("role", MemberRole)
def test_a_token_of_a_role_allows_what_a_member_of_it_may_do(role):
    study, member = make_study(owner=make_user("owner")), make_user("member")
    make_member(study, member, role)

    assert {permission for permission in ALL if member.has_perm(permission, study)} == RIGHTS_OF_ROLES[role]


@pytest.mark.django_db
def test_the_role_of_a_member_is_looked_up_once(django_assert_num_queries):
    study, member = make_study(owner=make_user("owner")), make_user("member")
    make_member(study, member, MemberRole.VIEWER)

    with django_assert_num_queries(1):
        assert [member.has_perm(permission, study) for permission in (CHANGE_STUDY, ANALYSE_STUDY)] == [False, False]

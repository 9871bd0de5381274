import pytest

from studies.rules import CHANGE_STUDY, VIEW_STUDY
from tests.factories.studies import make_study, make_user
from tests.studies.people import PEOPLE, make_people

MAY = {
    "owner": {VIEW_STUDY, CHANGE_STUDY},
    "editor": {VIEW_STUDY, CHANGE_STUDY},
    "viewer": {VIEW_STUDY},
    "superuser": {VIEW_STUDY, CHANGE_STUDY},
}
NOBODYS = {"superuser": {VIEW_STUDY, CHANGE_STUDY}}


@pytest.mark.django_db
@pytest.mark.parametrize("role", PEOPLE)
def test_permissions_of_a_study(role):
    study = make_study(owner=make_user("owner"))
    person = make_people(study)[role]

    allowed = {permission for permission in (VIEW_STUDY, CHANGE_STUDY) if person.has_perm(permission, study)}

    assert allowed == MAY.get(role, set())


@pytest.mark.django_db
@pytest.mark.parametrize("role", PEOPLE)
def test_permissions_of_a_study_without_owner(role):
    person = make_people(make_study("other", owner=make_user("owner")))[role]
    study = make_study("imported", owner=None)

    allowed = {permission for permission in (VIEW_STUDY, CHANGE_STUDY) if person.has_perm(permission, study)}

    assert allowed == NOBODYS.get(role, set())


@pytest.mark.django_db
def test_owning_a_study_opens_no_admin():
    owner = make_user("owner", is_staff=True)
    make_study(owner=owner)

    assert owner.has_perm(VIEW_STUDY) is False

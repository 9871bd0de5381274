import pytest
from django.utils import timezone

from studies.access.audit import Actor
from studies.access.tokens import find_token, make_token
from studies.enums import Interface, StudyState
from studies.models import AuditEntry, Study, StudyMember
from tests.factories.studies import make_study, make_user

EMPTY_INLINE = {
    "memberships-TOTAL_FORMS": "0",
    "memberships-INITIAL_FORMS": "0",
}


def _change(operator, study, **changes):
    data = {"title": study.title, "protocol": study.protocol, "owner": "", **EMPTY_INLINE, **changes}
    return operator.post(f"/admin/studies/study/{study.pk}/change/", data)


def test_operator_names_the_owner_of_an_imported_study_and_its_members(operator):
    study, owner, colleague = make_study(owner=None), make_user("owner"), make_user("colleague")
    members = {
        "memberships-TOTAL_FORMS": "1",
        "memberships-0-user": str(colleague.pk),
        "memberships-0-role": "viewer",
    }

    response = _change(operator, study, owner=str(owner.pk), **members)

    assert response.status_code == 302
    study.refresh_from_db()
    assert study.owner == owner
    assert list(StudyMember.objects.values_list("study", "user", "role")) == [(study.pk, colleague.pk, "viewer")]
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "interface", "details")) == [
        ("owner_changed", "page", {"was": "", "owner": "owner"}),
        ("member_added", "page", {"member": "colleague", "role": "viewer"}),
    ]


def test_state_is_not_changed_by_hand(operator):
    study = make_study()

    _change(operator, study, state="open", title="Another title")

    study.refresh_from_db()
    assert (study.state, study.title) == (StudyState.DRAFT, "Another title")


@pytest.mark.parametrize("protocol", ["nonsense@1", ""])
def test_protocol_must_exist(operator, protocol):
    study = make_study()

    response = _change(operator, study, protocol=protocol)

    assert response.status_code == 200
    assert Study.objects.get().protocol == study.protocol


def test_operator_who_removes_members_is_written_down(operator):
    study, colleague = make_study(), make_user("colleague")
    member = StudyMember.objects.create(study=study, user=colleague, role="viewer")

    operator.post(
        "/admin/studies/studymember/", {"action": "delete_selected", "_selected_action": member.pk, "post": "yes"}
    )

    assert StudyMember.objects.count() == 0
    assert list(AuditEntry.objects.values_list("action", "details")) == [
        ("member_removed", {"member": "colleague", "role": "viewer"})
    ]


def test_operator_changes_a_members_role_and_nothing_else(operator):
    study, other, colleague, third = make_study(), make_study(name="other"), make_user("colleague"), make_user("third")
    member = StudyMember.objects.create(study=study, user=colleague, role="viewer")
    address = f"/admin/studies/studymember/{member.pk}/change/"

    for _ in range(2):
        operator.post(address, {"role": "editor", "study": other.pk, "user": third.pk})

    assert StudyMember.objects.values_list("study", "user", "role").get() == (study.pk, colleague.pk, "editor")
    assert list(AuditEntry.objects.values_list("study_name", "action", "details")) == [
        ("study", "member_changed", {"member": "colleague", "was": "viewer", "role": "editor"})
    ]


def test_a_title_that_is_saved_as_it_was_is_no_change(operator):
    study = make_study()

    _change(operator, study)
    assert AuditEntry.objects.count() == 0
    _change(operator, study, title="Another title")

    (entry,) = AuditEntry.objects.all()
    assert (entry.action, entry.details) == ("renamed", {"title": {"was": "Study", "is": "Another title"}})


@pytest.mark.parametrize("by", ["page", "action", "inline", "owner"])
def test_tokens_end_with_whom_an_operator_removes(operator, by):
    ann = make_user("ann")
    study = make_study(owner=ann if by == "owner" else make_user("owner"))
    if by != "owner":
        member = StudyMember.objects.create(study=study, user=ann, role="editor")
    made = make_token(study, name="script", role="viewer", actor=Actor(ann, Interface.PAGE), now=timezone.now())
    assert find_token(made.secret, now=timezone.now()) == made.token

    if by == "page":
        operator.post(f"/admin/studies/studymember/{member.pk}/delete/", {"post": "yes"})
    elif by == "action":
        chosen = {"action": "delete_selected", "_selected_action": [member.pk], "post": "yes"}
        operator.post("/admin/studies/studymember/", chosen)
    elif by == "inline":
        form = {"id": member.pk, "study": study.pk, "user": ann.pk, "role": "editor", "DELETE": "on"}
        counts = {"memberships-TOTAL_FORMS": "1", "memberships-INITIAL_FORMS": "1"}
        rows = {f"memberships-0-{name}": value for name, value in form.items()}
        _change(operator, study, owner=study.owner_id, **counts, **rows)
    else:
        _change(operator, study)
    assert not StudyMember.objects.exists()
    StudyMember.objects.create(study=study, user=ann, role="editor")

    assert find_token(made.secret, now=timezone.now()) is None
    assert AuditEntry.objects.filter(action="token_revoked").count() == 1

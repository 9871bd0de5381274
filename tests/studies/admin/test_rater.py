import pytest
from django.contrib.auth.models import Permission

from tests.factories.studies import make_user
from tests.studies.admin.rows import make_rows

IDENTITIES = "/admin/studies/identity/"


def _read_everything(client, address, pk):
    return "".join(client.get(page).content.decode() for page in (address, f"{address}{pk}/change/"))


@pytest.mark.django_db
def test_identities_are_for_superusers_only(client):
    make_rows([0])
    member = make_user("staff", is_staff=True)
    member.user_permissions.set(Permission.objects.filter(content_type__app_label="studies"))
    client.force_login(member)

    assert client.get(IDENTITIES).status_code == 403
    assert client.get("/admin/studies/rater/").status_code == 200
    assert "identity" not in client.get("/admin/").content.decode()


def test_identities_and_raters_cannot_be_brought_together(operator):
    make_rows([0])
    rater_hash, identity_hash = "hash of study-0", f"{0:064d}"

    identities = _read_everything(operator, IDENTITIES, 1)
    raters = _read_everything(operator, "/admin/studies/rater/", 1)

    assert "Prolific" in identities or "prolific" in identities
    assert "person-0" not in identities
    assert "rater-1" in raters
    for text in (rater_hash, identity_hash):
        assert text not in identities
        assert text not in raters


@pytest.mark.parametrize(
    ("address", "lookup"),
    [
        ("/admin/studies/rater/", "identity_hash"),
        ("/admin/studies/rater/", "identity_hash__startswith"),
        (IDENTITIES, "identity_hash__startswith"),
        ("/admin/studies/judgment/", "rater__identity_hash__startswith"),
        ("/admin/studies/rater/", "join_nonce__startswith"),
        (IDENTITIES, "created_at__gte"),
        (IDENTITIES, "participant_id"),
        ("/admin/studies/submission/", "session_id"),
        ("/admin/studies/submission/", "session_hash__startswith"),
        ("/admin/studies/submission/", "parameters__STUDY_ID"),
        ("/admin/studies/invitation/", "token__startswith"),
        ("/admin/studies/invitation/", "token_hash__startswith"),
    ],
)
def test_what_leads_to_a_person_cannot_be_filtered_by(operator, address, lookup):
    make_rows([0])

    assert operator.get(address, {lookup: "0"}).status_code == 400


@pytest.mark.parametrize("address", ["/admin/studies/rater/", IDENTITIES])
def test_hash_cannot_be_searched_for(operator, address):
    make_rows([0])

    assert operator.get(address, {"q": "hash of study-0"}).context["cl"].result_count == 0

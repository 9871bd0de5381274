"""Tests of tokens and logins, errors as problem objects, pagination, and rate limits."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from studies.access.audit import Actor
from studies.access.tokens import make_token, revoke_token
from studies.enums import Interface, MemberRole
from studies.models import ApiToken, AuditEntry, Judgment, ReportLink, Study
from tests.factories.studies import make_member, make_study, make_user
from tests.studies.page_rights import make_report
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db
STUDY = "/api/v1/studies/study/"


@pytest.fixture
def study():
    return make_scored_study(owner=make_user("owner"))


def _make_program(study, role, *, user=None, **extra):
    actor = Actor(user or study.owner, Interface.PAGE)
    made = make_token(study, name="script", role=role, actor=actor, now=timezone.now() - timedelta(days=1), **extra)
    return Client(headers={"authorization": f"Bearer {made.secret}"}), made.token


@pytest.mark.parametrize(
    ("role", "answers"),
    [
        (MemberRole.VIEWER, [200, 403, 403, 403]),
        (MemberRole.ANALYST, [200, 201, 403, 403]),
        (MemberRole.EDITOR, [200, 201, 200, 403]),
    ],
)
def test_a_token_allows_what_its_role_does(study, role, answers):
    program, _ = _make_program(study, role)

    looked, reported, opened, gave = (
        program.get(STUDY),
        program.post(f"{STUDY}reports/", {}, content_type="application/json"),
        program.post(f"{STUDY}open/"),
        program.post(f"{STUDY}offer/", {"username": "owner"}, content_type="application/json"),
    )

    assert [each.status_code for each in (looked, reported, opened, gave)] == answers


def test_a_token_allows_no_more_than_its_maker_may_at_this_moment(study):
    member = make_user("member")
    part = make_member(study, member, MemberRole.EDITOR)
    program, _ = _make_program(study, MemberRole.EDITOR, user=member)
    assert program.post(f"{STUDY}open/").status_code == 200

    part.role = MemberRole.VIEWER
    part.save()
    assert (program.post(f"{STUDY}close/").status_code, program.get(STUDY).status_code) == (403, 200)
    part.delete()
    assert program.get(STUDY).status_code == 401


def test_a_token_knows_one_study_and_makes_none(study):
    make_study("other", owner=study.owner)
    program, _ = _make_program(study, MemberRole.EDITOR)

    listed = program.get("/api/v1/studies/").json()

    assert [each["name"] for each in listed["results"]] == ["study"]
    assert program.get("/api/v1/studies/other/").status_code == 404
    for address in ("studies/", "imports/", "studies/study/tokens/"):
        assert program.post(f"/api/v1/{address}", {}, content_type="application/json").status_code == 403


def test_invalid_tokens_are_refused(study):
    revoked, token = _make_program(study, MemberRole.EDITOR)
    revoke_token(token, actor=Actor(study.owner, Interface.PAGE), now=timezone.now())
    expired, _ = _make_program(study, MemberRole.EDITOR, days=1)
    nobody, twice = (Client(headers={"authorization": f"Bearer {text}"}) for text in ("acc_nobody", "a b"))

    answers = [each.get(STUDY) for each in (revoked, expired, nobody, twice, Client())]

    assert [each.status_code for each in answers] == [401] * 5
    assert {each["WWW-Authenticate"] for each in answers} == {'Bearer realm="api"'}


def test_a_login_needs_the_token_of_a_form_and_a_program_does_not(study):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(study.owner)

    refused = browser.post(f"{STUDY}open/")

    assert (refused.status_code, Study.objects.get().state) == (403, "draft")
    assert refused.json()["detail"].startswith("CSRF Failed")


def test_changes_name_the_api_as_their_interface(study):
    program, _ = _make_program(study, MemberRole.EDITOR)

    program.post(f"{STUDY}open/")

    entry = AuditEntry.objects.get(action="opened")
    assert (entry.actor, entry.interface) == (study.owner, Interface.API)


def test_refusals_are_problem_objects(client, study):
    client.force_login(study.owner)

    wrong = client.post(f"{STUDY}members/", {"username": "", "role": "king"}, content_type="application/json")
    closed = client.post(f"{STUDY}close/")
    missing = client.get("/api/v1/studies/nothing/")

    assert {each["Content-Type"] for each in (wrong, closed, missing)} == {"application/problem+json"}
    assert wrong.json() == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "detail": "Some fields are invalid.",
        "errors": [
            {"field": "role", "message": '"king" is not a valid choice.'},
            {"field": "username", "message": "This field may not be blank."},
        ],
    }
    assert (closed.status_code, closed.json()["detail"]) == (409, "study study is not open but draft")
    assert (missing.status_code, missing.json()["detail"]) == (404, "There is no study 'nothing'.")


@pytest.mark.parametrize("body", ['{"name": "\\u0000"}', '{"name": "\\ud800"}', '{"n": 1e999}', "[" * 100_000, "{"])
def test_what_no_database_takes_is_refused(client, study, body):
    client.force_login(study.owner)

    response = client.post("/api/v1/imports/", body, content_type="application/json")

    assert response.status_code == 400
    assert Study.objects.count() == 1


def test_rows_that_are_wrong_are_all_named(client, study):
    client.force_login(study.owner)
    rows = [{"image": "a", "candidate": "", "anchor": "x"}, {"image": "a", "candidate": "b"}]
    data = {"name": "next", "kind": "rating", "design": {}, "items": rows}

    response = client.post("/api/v1/studies/", data, content_type="application/json")

    assert response.status_code == 400
    assert [(each["record"], each["field"]) for each in response.json()["errors"]] == [
        ("row 1", "candidate"),
        ("row 2", "anchor"),
    ]
    assert Study.objects.count() == 1


def test_a_large_study_is_sent_to_the_uploads(client, study, settings):
    settings.ACCORDANCE_API_STUDY_KB = 4
    client.force_login(study.owner)
    rows = [{"image": "a", "candidate": "A dog.", "anchor": "A dog runs."}]
    data = {"name": "next", "kind": "rating", "design": {"question": "How well?", "scale": ["1", "2"]}, "items": rows}
    data["title"] = "x"
    small = client.post("/api/v1/studies/", data, content_type="application/json")
    rows[0]["candidate"] = "A dog. " * 600

    refused = client.post("/api/v1/studies/", {**data, "name": "third"}, content_type="application/json")

    assert (small.status_code, refused.status_code) == (201, 413), small.content
    assert "at most 4 KiB" in refused.json()["detail"]
    assert refused.json()["detail"].endswith("http://testserver/api/v1/uploads/.")
    assert sorted(Study.objects.values_list("name", flat=True)) == ["next", study.name]


def test_many_judgments_are_sent_to_the_uploads(client, study, settings):
    settings.ACCORDANCE_API_STUDY_KB = 4
    client.force_login(study.owner)
    rows = [{"image": "a", "system": "s", "candidate": "A dog. " * 600, "value": 1}]

    refused = client.post("/api/v1/imports/", {"name": "third", "rows": rows}, content_type="application/json")

    assert refused.status_code == 413
    assert refused.json()["detail"].endswith(
        "upload more judgments as a file to http://testserver/api/v1/uploads/judgments/."
    )
    assert Study.objects.get() == study


def test_too_many_requests(client, study, settings):
    settings.ACCORDANCE_API_PER_MINUTE = 2
    program, _ = _make_program(study, MemberRole.VIEWER)

    answers = [program.get(STUDY) for _ in range(3)]

    assert [each.status_code for each in answers] == [200, 200, 429]
    assert int(answers[2]["Retry-After"]) > 0


def test_judgments_come_in_pages_and_name_no_person(client, study):
    client.force_login(study.owner)
    study.raters.update(identity_hash="secret-hash")

    first = client.get(f"{STUDY}judgments/?page_size=2").json()
    second = client.get(first["next"]).json()

    assert [len(first["results"]), len(second["results"]), second["next"]] == [2, 1, None]
    assert [each["id"] for each in first["results"] + second["results"]] == list(
        Judgment.objects.order_by("pk").values_list("pk", flat=True)
    )
    assert {each["rater"] for each in first["results"]} == {"rater-1"}
    assert "secret-hash" not in str(client.get(f"{STUDY}raters/").json())


def test_correlations_are_those_of_the_command(client, study):
    client.force_login(study.owner)

    rows = client.post(f"{STUDY}correlate/", {"metrics": ["length"]}, content_type="application/json").json()

    # One word longer from item to item, judged one higher each: tau-c is 1.
    assert [(row["metric"], row["coefficient"], row["value"], row["n"]) for row in rows] == [
        ("length", "kendall-c", 1.0, 3)
    ]


@pytest.mark.parametrize("n_studies", [1, 3])
def test_queries_of_a_list_do_not_grow(client, django_assert_num_queries, n_studies):
    owner = make_user("owner")
    for number in range(n_studies):
        make_study(f"study-{number}", owner=owner)
    client.force_login(owner)

    with django_assert_num_queries(4):
        client.get("/api/v1/studies/")


@pytest.mark.parametrize("address", ["tokens/", "reports/1/links/"])
@pytest.mark.parametrize(("days", "status"), [(1, 201), (30, 201), (31, 400), (0, 400), (None, 400)])
def test_nothing_is_made_without_an_end(client, study, settings, address, days, status):
    settings.ACCORDANCE_TOKEN_DAYS_MOST = settings.ACCORDANCE_LINK_DAYS_MOST = 30
    make_report(study)
    client.force_login(study.owner)
    given = {"name": "script", "role": "viewer"} if address == "tokens/" else {}

    answer = client.post(f"{STUDY}{address}", {**given, "days": days}, content_type="application/json")

    assert answer.status_code == status
    made = [*ApiToken.objects.all(), *ReportLink.objects.all()]
    assert [(each.expires_at - each.made_at).days for each in made] == ([days] if status == 201 else [])

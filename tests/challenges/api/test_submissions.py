"""Tests of submissions by programs: whole files, uploads in parts, states, and cancellation."""

import hashlib
import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from challenges.models import Phase, Submission
from challenges.submissions import uploads
from tests.challenges.api.programs import make_program
from tests.challenges.challenges import score_all, write_results

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/challenges/captions/"
SUBMISSIONS, UPLOADS = f"{ROOT}phases/test/submissions/", f"{ROOT}phases/test/uploads/"
PART = "application/octet-stream"


@pytest.fixture
def program(arena):
    return make_program(arena.team)


def send_part(program, submission, content, *, offset):
    headers = {"upload-offset": str(offset)}
    return program.patch(f"{ROOT}submissions/{submission}/", content, content_type=PART, headers=headers)


def begin(program, content, **extra):
    given = {"name": "captions_val_mine_results.json", "n_bytes": len(content), **extra}
    return program.post(UPLOADS, given, content_type="application/json")


def test_a_file_as_the_body_is_scored(program, arena):
    query = "?name=captions_val_mine_results.json&description=Epoch+3"
    sent = program.post(f"{SUBMISSIONS}{query}", write_results(), content_type="application/json")
    queued = sent.json()
    score_all(now=timezone.now())
    scored = program.get(sent["Location"]).json()

    assert (sent.status_code, queued["state"], queued["is_final"]) == (202, "received", False)
    assert (queued["name"], queued["description"]) == ("captions_val_mine_results.json", "Epoch 3")
    assert queued["progress"] == {"n_ahead": 0, "doing": "", "n_done": 0, "n_total": 0, "seconds_left": None}
    assert (scored["state"], scored["is_final"], scored["progress"]) == ("scored", True, None)
    submission = Submission.objects.get(token=queued["submission"])
    assert Path(submission.file.path).read_bytes() == write_results()
    value = submission.scores.get(metric="rouge-l", references="c2").value
    assert [
        each["value"] for each in scored["scores"] if (each["metric"], each["references"]) == ("rouge-l", "c2")
    ] == [round(value, 3)]
    assert "per_image" not in str(scored)


def test_a_file_in_a_form_is_taken(program, arena):
    file = SimpleUploadedFile("captions_val_mine_results.json", write_results())

    sent = program.post(SUBMISSIONS, {"file": file, "description": "Epoch 4"})

    assert sent.status_code == 202
    assert (sent.json()["name"], sent.json()["description"]) == (file.name, "Epoch 4")


def test_errors_of_entries_are_the_reason(program, arena):
    content = json.dumps([{"image_id": 10, "caption": "a dog"}, {"image_id": 10, "caption": "a cat"}]).encode()
    sent = program.post(SUBMISSIONS, content, content_type="application/json")
    score_all(now=timezone.now())

    failed = program.get(sent["Location"]).json()

    assert (failed["state"], failed["is_final"]) == ("failed", True)
    assert failed["reason"].splitlines()[0] == "entry 2: field 'image_id': must occur in 1 entry, got 10 as in entry 1"
    assert program.get(f"{ROOT}phases/test/").json()["usage"]["today"] == 1


@pytest.mark.parametrize(
    ("content", "extra", "status"),
    [
        (b"", {"content_type": "application/json"}, 400),
        (b"x", {"content_type": "text/plain"}, 415),
        (b"x", {"content_type": "application/json", "query_params": {"name": "x.txt"}}, 400),
        (b"x", {"content_type": "application/json", "query_params": {"description": "x" * 501}}, 400),
    ],
)
def test_what_is_no_file_is_refused(program, arena, content, extra, status):
    refused = program.post(SUBMISSIONS, content, **extra)

    assert (refused.status_code, refused["Content-Type"]) == (status, "application/problem+json")
    assert Submission.objects.count() == 2


def test_unknown_fields_of_a_form_are_refused(program, arena):
    file = SimpleUploadedFile("x.json", write_results())

    refused = program.post(SUBMISSIONS, {"file": file, "descripton": "x"})

    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "descripton")


def test_a_limit_says_when_the_next_day_begins(program, arena):
    Phase.objects.update(per_day=1)

    refused = program.post(SUBMISSIONS, write_results(), content_type="application/json")

    assert refused.status_code == 409
    assert "the team has used all its 1 submissions for today; the next day begins at" in refused.json()["detail"]


def test_a_body_that_is_too_large_is_not_read(program, arena, settings):
    settings.ACCORDANCE_UPLOAD_MB = 0

    refused = program.post(SUBMISSIONS, write_results(), content_type="application/json")

    assert refused.status_code == 413
    assert "send it in parts" in refused.json()["detail"]


def test_an_upload_goes_on_after_a_cut(program, arena):
    content = write_results()
    begun = begin(program, content).json()
    token = begun["submission"]
    first = send_part(program, token, content[:30], offset=0)
    # The answer is lost, and so the program sends the part again.
    again = send_part(program, token, content[:30], offset=0)
    shown = program.get(f"{ROOT}submissions/{token}/")
    early = program.post(f"{ROOT}submissions/{token}/finish/")
    rest = send_part(program, token, content[shown.json()["n_received"] :], offset=int(shown["Upload-Offset"]))
    finished = program.post(f"{ROOT}submissions/{token}/finish/")
    score_all(now=timezone.now())

    assert (begun["state"], begun["n_received"], first.json()["n_received"]) == ("receiving", 0, 30)
    assert (again.status_code, again.json()["detail"]) == (409, "the next part must begin at byte 30, got 0")
    assert (early.status_code, "continue the upload" in early.json()["detail"]) == (409, True)
    assert (rest.json()["n_received"], finished.status_code) == (len(content), 202)
    submission = Submission.objects.get(token=token)
    assert (submission.state, Path(submission.file.path).read_bytes()) == ("scored", content)


def test_digests_tell_what_has_arrived(program, arena, monkeypatch):
    monkeypatch.setattr(uploads, "BLOCK", 40)
    content = write_results()
    token = begin(program, content).json()["submission"]
    address = f"{ROOT}submissions/{token}/received/"
    nothing = program.get(address).json()
    send_part(program, token, content[:90], offset=0)
    some = program.get(address).json()
    send_part(program, token, content[90:], offset=90)
    program.post(f"{ROOT}submissions/{token}/finish/")
    over = program.get(address)

    assert (nothing["n_received"], nothing["sha256"], some["n_received"]) == (0, [], 90)
    blocks = (content[:40], content[40:80], content[80:90])
    assert some["sha256"] == [hashlib.sha256(each).hexdigest() for each in blocks]
    assert (over.status_code, over.json()["detail"]) == (
        409,
        "the upload has already ended: the submission is received",
    )


@pytest.mark.parametrize("offset", [None, "", "-1", "x", "٣", "1" * 20])
def test_a_part_says_where_it_begins(program, arena, offset):
    token = begin(program, write_results()).json()["submission"]
    headers = {} if offset is None else {"upload-offset": offset}

    refused = program.patch(f"{ROOT}submissions/{token}/", b"x", content_type=PART, headers=headers)

    assert (refused.status_code, "Upload-Offset must be a whole number" in refused.content.decode()) == (400, True)


def test_a_part_is_not_empty_and_not_of_another_type(program, arena):
    token = begin(program, write_results()).json()["submission"]

    assert send_part(program, token, b"", offset=0).status_code == 400
    wrong = program.patch(
        f"{ROOT}submissions/{token}/", b"x", content_type="text/plain", headers={"upload-offset": "0"}
    )
    assert wrong.status_code == 415


@pytest.mark.parametrize(
    ("changes", "field"), [({"name": "x.txt"}, "name"), ({"n_bytes": 0}, "n_bytes"), ({"n_bytes": 2**40}, "n_bytes")]
)
def test_what_cannot_be_uploaded_is_refused(program, arena, changes, field):
    refused = begin(program, b"x", **changes)

    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, field)


def test_a_submission_is_cancelled_until_it_has_a_score(program, arena):
    sent = program.post(SUBMISSIONS, write_results(), content_type="application/json")
    cancelled = program.post(f"{sent['Location']}cancel/")
    late = program.post(f"{ROOT}submissions/{arena.scored.token}/cancel/")

    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
    assert cancelled.json()["reason"] == "Cancelled by member-of-Lynx."
    assert (late.status_code, late.json()["detail"]) == (409, "the submission has already ended: scored")


def test_a_team_lists_its_own_submissions_newest_first(program, arena):
    sent = program.post(SUBMISSIONS, write_results(), content_type="application/json").json()

    listed = program.get(SUBMISSIONS).json()

    assert [each["submission"] for each in listed["results"]] == [sent["submission"], arena.scored.token]
    assert len(listed["results"][1]["scores"]) == 6


def test_queries_of_the_list_do_not_grow(program, arena, django_assert_max_num_queries):
    for _ in range(3):
        program.post(SUBMISSIONS, write_results(), content_type="application/json")
    program.get(SUBMISSIONS)

    with django_assert_max_num_queries(7):
        program.get(SUBMISSIONS)


def test_a_team_leaves_a_submission_out_of_the_leaderboard(program, arena):
    address, board = f"{ROOT}submissions/{arena.scored.token}/", f"{ROOT}phases/test/leaderboard/"
    hidden = program.post(f"{address}hide/").json()
    without = program.get(board).json()
    shown = program.post(f"{address}show-again/").json()
    sent = program.post(SUBMISSIONS, write_results(), content_type="application/json")
    early = program.post(f"{sent['Location']}hide/")

    assert (hidden["is_hidden"], shown["is_hidden"]) == (True, False)
    assert [each["team"] for each in without["entries"]] == ["Ibex"]
    assert {each["team"] for each in program.get(board).json()["entries"]} == {"Lynx", "Ibex"}
    assert (early.status_code, early.json()["detail"]) == (409, "only a scored submission is on the leaderboard")

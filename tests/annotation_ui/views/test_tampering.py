"""Tests of requests that no page offers: they are rejected with an explanation, recorded, and not stored."""

import csv
import http.client
import re
from datetime import timedelta
from io import StringIO
from urllib.parse import urlencode, urlsplit

import pytest
from django.core import signing
from django.utils import timezone

from studies.design.study_design import Panel, Slider
from studies.enums import EventKind, PanelKind, RaterOutcome, TaskKind
from studies.models import Assignment, Identity, Judgment, JudgmentRevision, Rater, RaterEvent, Submission
from studies.publishing.exports import write_judgments
from tests.annotation_ui.people import Person, fill_items, name_items
from tests.factories.open_studies import make_open_study
from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"
PROLIFIC = {"PROLIFIC_PID": "5f" * 12, "STUDY_ID": "60" * 12, "SESSION_ID": "s1"}


def _join(study):
    """Let a person join, whose forms from then on are taken with the token of a page only."""
    person = Person(study).join()
    person.get("leave")
    person.client.handler.enforce_csrf_checks = True
    return person


def _send(person, address, fields):
    """Send a form as a browser does, with the token of a page."""
    return person.client.post(address, {**fields, "csrfmiddlewaretoken": person.client.cookies["csrftoken"].value})


def _submit(person, assignment, choice, **extra):
    address = person.address("submit", pk=assignment.pk)
    return _send(person, address, {**fill_items(assignment, choice), **extra})


def _submit_refused(person, assignment, choice):
    """Submit a form that is refused, and return the page that asks again."""
    refusal = _submit(person, assignment, choice)
    assert refusal.status_code == 302
    return _read(person.client.get(refusal.url))


def _list_refusals():
    return [event.details for event in RaterEvent.objects.filter(kind=EventKind.REFUSED).order_by("pk")]


def _read(response):
    """Return the text of a page that must be one of raters' own."""
    page = response.content.decode()
    assert "annotation_ui/annotation.css" in page
    return page


def test_assignment_of_somebody_else_is_refused_on_every_address():
    study = make_open_study(raters_per_task=2)
    owner, other = _join(study), _join(study)
    assignment = owner.take_task()
    other.take_task()

    for page in ("submit", "correct", "return"):
        response = _send(other, other.address(page, pk=assignment.pk), fill_items(assignment, "4"))
        assert (response.status_code, "This is not one of your tasks" in _read(response)) == (404, True)

    assert _list_refusals() == [{"reason": "NotTheirs", "assignment": assignment.pk}] * 3
    assert Judgment.objects.count() == 0
    assert Assignment.objects.get(pk=assignment.pk).state == "leased"


@pytest.mark.parametrize("pk", [0, 10**18, 10**30])
def test_assignment_that_there_is_not_is_refused(pk):
    person = _join(make_open_study())
    person.take_task()

    assert _send(person, person.address("submit", pk=pk), {"item-1": "4"}).status_code == 404
    assert person.client.get(person.address("image", name=f"{pk:016x}")).status_code == 404
    assert Judgment.objects.count() == 0


def test_answer_whose_slot_is_taken_is_refused_and_noted():
    study = make_open_study(n_tasks=1)
    slow, quick = _join(study), _join(study)
    assignment = slow.take_task()
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    quick.take_task()

    page = slow.client.get(_submit(slow, assignment, "4").url, follow=True).content.decode()

    assert "been given to somebody else" in page
    assert _list_refusals() == [{"assignment": assignment.pk, "reason": "SlotTaken"}]
    assert Judgment.objects.count() == 0


def test_replayed_form_changes_nothing_after_a_correction_either():
    person = _join(make_open_study())
    assignment = person.take_task()
    _submit(person, assignment, "1")
    _send(person, person.address("correct", pk=assignment.pk), fill_items(assignment, "3"))

    responses = [_submit(person, assignment, choice) for choice in ("1", "4", "nonsense")]

    assert {response.url for response in responses} == {person.address("task")}
    assert list(Judgment.objects.values_list("value", flat=True)) == [3.0]
    assert list(JudgmentRevision.objects.values_list("value", flat=True)) == [1.0]


def test_correction_is_refused_once_another_answer_was_given():
    person = _join(make_open_study())
    first = person.take_task()
    _submit(person, first, "1")
    _submit(person, person.take_task(), "2")

    response = _send(person, person.address("correct", pk=first.pk), fill_items(first, "4"))

    assert "Only the last answer can be corrected" in person.client.get(response.url, follow=True).content.decode()
    assert list(Judgment.objects.order_by("pk").values_list("value", flat=True)) == [1.0, 2.0]
    assert _list_refusals() == [{"assignment": first.pk, "reason": "CannotCorrect"}]


@pytest.mark.parametrize(
    "signing_options",
    [{"salt": "another"}, {"key": "another"}],
    ids=["for something else", "with another key"],
)
def test_forged_arrival_is_refused(signing_options):
    study = make_open_study(panel=Panel(kind=PanelKind.PROLIFIC, codes={RaterOutcome.FINISHED: "DONE1"}))
    person = Person(study)
    content = ["prolific", "prolific", "5f" * 12, "s1", {}]
    arrival = signing.dumps(content, **{"salt": f"arrival-{study.pk}", **signing_options})

    response = person.post("join", {"agrees": "on", "arrival": arrival})

    assert (response.status_code, "its address was changed" in _read(response)) == (403, True)
    assert [model.objects.count() for model in (Rater, Identity, Submission)] == [0, 0, 0]


@pytest.mark.parametrize(
    "changed",
    [
        {"PROLIFIC_PID": "5F" * 12},
        {"PROLIFIC_PID": "x" * 10_000},
        {"PROLIFIC_PID": "5f" * 11 + "\0\0"},
        {"SESSION_ID": "a\0b"},
        {"SESSION_ID": "a b"},
        {"SESSION_ID": "\u202eab"},
        {"STUDY_ID": "<script>alert(1)</script>"},
        {"STUDY_ID": ""},
    ],
)
def test_forged_panel_id_is_refused(changed):
    person = Person(make_open_study(panel=Panel(kind=PanelKind.PROLIFIC, codes={RaterOutcome.FINISHED: "DONE1"})))

    response = person.client.get(f"{person.address('join')}?{urlencode({**PROLIFIC, **changed})}")

    assert response.status_code == 403
    assert "Nothing was stored" in _read(response)
    assert "<script>alert" not in response.content.decode()
    assert [model.objects.count() for model in (Rater, Identity, Submission)] == [0, 0, 0]


def test_session_of_somebody_else_is_refused():
    study = make_open_study(panel=Panel(kind=PanelKind.PROLIFIC, codes={RaterOutcome.FINISHED: "DONE1"}))
    for number, pid in enumerate(("5f" * 12, "6a" * 12)):
        person = Person(study)
        page = person.client.get(f"{person.address('join')}?{urlencode({**PROLIFIC, 'PROLIFIC_PID': pid})}")
        hidden = dict(re.findall(r'type="hidden" name="(nonce|arrival)" value="([^"]*)"', page.content.decode()))
        response = person.post("join", {"agrees": "on", **hidden})
        assert response.status_code == (403 if number else 302)

    assert "another person" in _read(response)
    assert (Rater.objects.count(), Submission.objects.count()) == (1, 1)


@pytest.mark.parametrize("make", [lambda _: "AAAA", lambda value: value.replace(":", "::", 1), lambda _: "\u00e9" * 9])
def test_forged_cookie_is_a_stranger(make):
    person = _join(make_open_study())
    assignment = person.take_task()
    name = f"rater-{person.study.pk}"
    person.client.cookies[name] = make(person.client.cookies[name].value)

    response = _submit(person, assignment, "4")

    assert response.url == person.address("join")
    assert Judgment.objects.count() == 0


@pytest.mark.parametrize("kind", [FORM, "multipart/form-data; boundary=x", "application/json"])
def test_huge_answer_is_refused_before_it_is_read(kind):
    person = _join(make_open_study())
    assignment = person.take_task()

    response = person.client.post(person.address("submit", pk=assignment.pk), b"x" * 10_000_000, content_type=kind)

    assert (response.status_code, "too large" in _read(response)) == (413, True)
    assert _list_refusals() == [{"reason": "TooLarge", "method": "POST"}]
    assert Judgment.objects.count() == 0


def test_too_many_fields_are_refused():
    person = _join(make_open_study())
    assignment = person.take_task()

    response = _submit(person, assignment, "4", **{f"f{number}": "" for number in range(2000)})

    assert (response.status_code, "cannot be read" in _read(response)) == (400, True)
    assert Judgment.objects.count() == 0


def test_field_that_the_page_does_not_have_is_refused():
    study = make_open_study()
    person = _join(study)
    assignment = person.take_task()
    foreign = next(iter(study.tasks.exclude(pk=assignment.task_id).get().items.all()))

    for extra in ({"rater": "1"}, {f"item-{foreign.pk}": "4"}, {"value": "4"}):
        response = _submit(person, assignment, "4", **extra)
        assert (response.status_code, "fields that this page does not have" in _read(response)) == (400, True)

    refusal = {"reason": "UnknownFields", "method": "POST", "assignment": assignment.pk}
    assert _list_refusals() == [refusal] * 3
    assert Judgment.objects.count() == 0


@pytest.mark.parametrize("choice", ["5", "0", "-1", "4.0.0", "nan", "inf", "1e400", "4\0", "٤", " 4 5", "true", "null"])
def test_value_outside_of_the_scale_is_refused(choice):
    person = _join(make_open_study())
    assignment = person.take_task()

    page = _submit_refused(person, assignment, choice)

    (item,) = [entry["item"] for entry in assignment.shown]
    assert "Choose one of the answers" in page
    (refusal,) = _list_refusals()
    assert refusal == {
        "reason": "WrongAnswer", "assignment": assignment.pk, "fields": {f"item-{item}": "invalid_choice"}
    }  # fmt: skip
    assert Judgment.objects.count() == 0


@pytest.mark.parametrize("value", ["nan", "-inf", "inf", "1e999", "100.5", "-1", "0x10", "999", "1\0", "7" * 9000])
def test_value_outside_of_the_slider_is_refused(value):
    slider = Slider(low_label="worst", high_label="best")
    person = _join(make_open_study(scale=(), slider=slider))
    assignment = person.take_task()

    page = _submit_refused(person, assignment, value)

    assert "Enter a number from 0 to 100" in page
    assert [refusal["reason"] for refusal in _list_refusals()] == ["WrongAnswer"]
    assert Judgment.objects.count() == 0


def test_missing_answer_is_no_tampering():
    person = _join(make_open_study())

    assert "Choose one of the answers" in _submit_refused(person, person.take_task(), "")
    assert _list_refusals() == []


@pytest.mark.parametrize("elapsed", ["-5", "1e9", "nan", "9" * 400, "<b>", "\0"])
def test_wrong_time_is_left_out(elapsed):
    person = _join(make_open_study())
    assignment = person.take_task()
    (item,) = name_items(assignment).values()

    _submit(person, assignment, "4", **{f"elapsed-{item}": elapsed})

    assert list(Judgment.objects.values_list("value", "elapsed_ms")) == [(4.0, None)]


MARKUP = "A <script>alert(1)</script> dog & a cat run on the \"green\" grass, 'near' the old <b>gate"


def test_markup_in_a_caption_is_shown_as_text_everywhere(client):
    study = make_open_study(kind=TaskKind.CAPTION)
    study.owner = make_user()
    study.save()
    person = _join(study)
    assignment = person.take_task()
    assert _submit(person, assignment, MARKUP).status_code == 302

    corrected = person.get("last").content.decode()
    client.force_login(study.owner)
    pages = [client.get(f"/studies/study/?tab={tab}").content.decode() for tab in ("items", "progress", "results")]
    (row,) = csv.DictReader(StringIO("".join(write_judgments(study))))

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in corrected
    assert not [page for page in [corrected, *pages] if "<script>alert" in page or "<b>gate" in page]
    # An export holds what was written, to the letter.
    assert row["caption"] == MARKUP


@pytest.mark.parametrize("letter", ["\0", "\x07", "\x1b[31m", "\x7f", "\x9b", "\u202e", "\u2066"])
def test_character_that_cannot_be_seen_is_refused_in_a_caption(letter):
    person = _join(make_open_study(kind=TaskKind.CAPTION))

    page = _submit_refused(person, person.take_task(), f"A brown dog runs over{letter} the green grass in summer.")

    assert "invisible character" in page
    assert [refusal["reason"] for refusal in _list_refusals()] == ["WrongAnswer"]
    assert "dog" not in str(_list_refusals())
    assert Judgment.objects.count() == 0


def test_line_breaks_and_tabs_in_a_caption_become_blanks():
    person = _join(make_open_study(kind=TaskKind.CAPTION))

    _submit(person, person.take_task(), "A brown\r\ndog\truns\u2028over the\x85green\x1cgrass in summer.\x0b")

    assert Judgment.objects.get().answer["caption"] == "A brown dog runs over the green grass in summer."


def test_form_without_its_token_is_answered_in_words():
    person = _join(make_open_study())
    assignment = person.take_task()

    response = person.answer(assignment, "4")

    assert (response.status_code, "This form has expired" in _read(response)) == (403, True)
    assert _list_refusals() == [{"reason": "NoToken", "method": "POST"}]
    assert Judgment.objects.count() == 0


def test_researchers_forms_have_a_page_of_their_own():
    person = Person(make_open_study(), checks_csrf=True)

    response = person.client.post("/login/", {"username": "a", "password": "b"})

    assert response.status_code == 403
    assert "annotation.css" not in response.content.decode()


def test_looking_at_what_takes_answers_is_answered_in_words():
    person = _join(make_open_study())
    assignment = person.take_task()
    pages = {page: {"pk": assignment.pk} for page in ("submit", "correct", "return")}
    pages |= {page: {} for page in ("decline", "begin", "leave-now", "withdraw")}

    for page, kwargs in pages.items():
        response = person.get(page, **kwargs)
        assert (response.status_code, response["Allow"]) == (405, "POST")
        assert "only accepts submitted answers" in _read(response)

    assert _list_refusals() == [{"reason": "WrongMethod", "method": "GET"}] * len(pages)
    assert Assignment.objects.get().state == "leased"


@pytest.mark.parametrize("method", ["put", "delete", "patch", "options", "trace"])
def test_other_methods_change_nothing(method):
    person = _join(make_open_study())
    assignment = person.take_task()

    response = getattr(person.client, method)(person.address("submit", pk=assignment.pk))

    assert response.status_code in (403, 405)
    _read(response)
    assert Judgment.objects.count() == 0


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "application/xml", ""])
def test_what_is_no_form_is_refused(kind):
    person = _join(make_open_study())
    assignment = person.take_task()
    fields = urlencode(fill_items(assignment, "4")).encode()

    response = person.client.post(person.address("submit", pk=assignment.pk), fields, content_type=kind)

    assert (response.status_code, "is not a form" in _read(response)) == (415, True)
    assert _list_refusals() == [{"reason": "WrongType", "method": "POST"}]


def test_broken_multipart_form_is_refused():
    person = _join(make_open_study())
    assignment = person.take_task()

    response = person.client.post(
        person.address("submit", pk=assignment.pk), b"--x\r\nnothing", content_type="multipart/form-data; boundary="
    )

    assert response.status_code in (400, 403)
    _read(response)
    assert Judgment.objects.count() == 0


@pytest.mark.parametrize("token", ["%00", "a%00b", "x" * 20_000, "%3Cscript%3E", "..%2f..%2fetc", "%F0%9F%90%95"])
def test_strange_link_is_an_unknown_link(token):
    person = Person(make_open_study())

    for method in (person.client.get, person.client.post):
        response = method(f"/r/{token}/")
        assert response.status_code == 404

    assert Rater.objects.count() == 0


def test_cookie_of_another_rater_is_worth_nothing_without_its_signature():
    study = make_open_study(raters_per_task=2)
    owner, other = _join(study), _join(study)
    assignment = owner.take_task()
    name = f"rater-{study.pk}"
    _, rest = other.client.cookies[name].value.split(":", 1)
    other.client.cookies[name] = f"{owner.rater.pseudonym}:{rest}"

    assert _submit(other, assignment, "4").url == other.address("join")
    assert Judgment.objects.count() == 0


def test_joins_from_one_address_have_a_limit(settings):
    settings.ACCORDANCE_JOINS_PER_MINUTE = 3
    study, other = make_open_study(), make_open_study("other")

    statuses = [Person(study).post("join", {"agrees": "on"}).status_code for _ in range(5)]
    elsewhere = Person(study).client.post(
        Person(study).address("join"), {"agrees": "on"}, headers={"x-forwarded-for": "10.1.1.1"}, REMOTE_ADDR="10.2.2.2"
    )

    assert statuses == [302, 302, 302, 429, 429]
    assert Rater.objects.filter(study=study).count() == 4
    # Another address, and another study, are counted apart.
    assert elsewhere.status_code == Person(other).post("join", {"agrees": "on"}).status_code == 302


def test_limit_is_told_in_words(settings):
    settings.ACCORDANCE_JOINS_PER_MINUTE = 1
    study = make_open_study()
    Person(study).join()

    response = Person(study).post("join", {"agrees": "on"})

    assert "Please try again in a minute" in _read(response)


def test_browser_without_the_cookie_is_noted():
    study = make_open_study(panel=Panel(kind=PanelKind.PROLIFIC, codes={RaterOutcome.FINISHED: "DONE1"}))
    person = Person(study)
    link = f"{person.address('join')}?{urlencode(PROLIFIC)}"
    page = person.client.get(link).content.decode()
    hidden = dict(re.findall(r'type="hidden" name="(nonce|arrival)" value="([^"]*)"', page))
    person.post("join", {"agrees": "on", **hidden})

    person.client.get(link)
    before = list(RaterEvent.objects.values_list("kind", flat=True))
    Person(study).client.get(link)

    assert before == [EventKind.REOPENED]
    assert list(RaterEvent.objects.values_list("kind", flat=True)) == [EventKind.REOPENED, EventKind.ARRIVAL_REFUSED]


def test_link_for_another_device_is_noted_once():
    study = make_open_study()
    person = _join(study)
    person.take_task()
    page = _send(person, person.address("return", pk=Assignment.objects.get().pk), {})
    link = re.search(r'/r/[^"<\s]+/resume/[^"<\s]+/', person.client.get(page.url).content.decode())[0]
    other = Person(study)

    other.client.get(link)
    other.client.get(link)

    assert list(RaterEvent.objects.values_list("kind", flat=True)) == [EventKind.SECOND_DEVICE]


@pytest.mark.django_db(transaction=True)
def test_server_answers_what_clients_never_send(live_server):
    study = make_open_study()
    path = f"/r/{study.join_token}/"

    assert _request(live_server, "POST", path, body=b"x" * 3_000_000, headers={"Content-Type": FORM})[0] == 413
    status, page = _request(live_server, "POST", path, body=b"agrees=on", headers={"Content-Type": FORM})
    assert (status, "This form has expired" in page) == (403, True)
    assert _request(live_server, "GET", f"{path}begin/")[0] == 405
    assert _request(live_server, "GET", "/r/%00/")[0] == 404
    assert _request(live_server, "GET", path + "?" + "a" * 3000)[0] == 200
    assert _request(live_server, "GET", path, headers={"Cookie": f"rater-{study.pk}=" + "\x01" * 300})[0] == 200
    assert Rater.objects.count() == 0


def _request(server, method, path, *, body=None, headers=None):
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()


def test_refused_answers_of_a_cookie_are_only_those_of_the_own_task():
    study = make_open_study(kind=TaskKind.CAPTION, raters_per_task=2)
    person, other = _join(study), _join(study)
    _submit_refused(person, person.take_task(), "A secret dog")
    other.take_task()
    forged = person.client.cookies["refused"].value

    for value in (forged, forged[:-1], "x", "", "{}"):
        other.client.cookies["refused"] = value
        assert "A secret dog" not in _read(other.get("task"))


def test_refused_answers_too_long_for_a_cookie_are_shown_at_once():
    person = _join(make_open_study(kind=TaskKind.CAPTION))
    noise = "".join(map(chr, range(0x4E00, 0x4E00 + 3000)))

    response = _submit(person, person.take_task(), noise)

    assert (response.status_code, noise in _read(response)) == (422, True)


def test_refused_answers_are_forgotten_when_the_task_is_submitted():
    person = _join(make_open_study())
    assignment = person.take_task()
    _submit_refused(person, assignment, "")
    cookie = person.client.cookies["refused"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (person.address("task"), True, "Lax")

    _submit(person, assignment, "4")

    assert person.client.cookies["refused"].value == ""

"""Tests of raters from panels: they join once, are recognised on any device, and return with the panel's parameters."""

import re
from urllib.parse import urlencode

import pytest

from annotation_ui.channels.signing import sign_parameters
from studies.collection.arrival.invitations import invite
from studies.collection.lifecycle import close_study
from studies.design.study_design import Panel
from studies.enums import EventKind, PanelKind, RaterOutcome, StudyState
from studies.models import Consent, Identity, Judgment, Rater, RaterEvent, Study, StudyVersion, Submission, Withdrawal
from tests.annotation_ui.people import Person
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
PID, OTHER_PID, STUDY = "5f" * 12, "6a" * 12, "60" * 12
CODES = {RaterOutcome.FINISHED: "DONE1", RaterOutcome.LEFT: "LEFT1", RaterOutcome.DECLINED: "NOCONS"}
CODES |= {RaterOutcome.WITHDRAWN: "WITHD1"}
AMT = {"assignmentId": "A1", "hitId": "H1", "workerId": "W1", "turkSubmitTo": "https://www.mturk.com"}


def _make_study(kind=PanelKind.PROLIFIC, **design):
    return make_open_study(panel=Panel(kind=kind, codes=CODES), **{"n_tasks": 1, **design})


def _prolific(pid=PID, session="s1"):
    return {"PROLIFIC_PID": pid, "STUDY_ID": STUDY, "SESSION_ID": session}


def _come(person, parameters):
    return person.client.get(f"{person.address('join')}?{urlencode(parameters)}")


def _agree(person, page):
    """Send the consent form with the fields that the page has hidden in it."""
    hidden = dict(re.findall(r'type="hidden" name="(nonce|arrival)" value="([^"]*)"', page.content.decode()))
    return person.post("join", {"agrees": "on", **hidden})


def _join(study, parameters):
    person = Person(study)
    _agree(person, _come(person, parameters))
    person.rater = Rater.objects.latest("pk")
    return person


def test_arriving_stores_nothing_before_the_consent() -> None:
    page = _come(Person(_make_study()), _prolific())

    assert page.status_code == 200
    # Only in the page's own address, which the links to its other languages repeat.
    assert PID not in re.sub(r'href="\?[^"]*"', "", page.content.decode())
    assert [model.objects.count() for model in (Rater, Identity, Submission)] == [0, 0, 0]


def test_consent_takes_the_participant_in() -> None:
    study = _make_study()

    person = _join(study, _prolific())

    assert Identity.objects.values_list("panel", "participant_id").get() == ("prolific", PID)
    assert Submission.objects.values_list("session_id", "parameters", "outcome").get() == (
        "s1",
        {"STUDY_ID": STUDY},
        "",
    )
    assert Submission.objects.get().identity_hash == person.rater.identity_hash
    assert Consent.objects.count() == 1


def test_participant_goes_on_in_the_same_browser() -> None:
    study = _make_study(n_tasks=2)
    person = _join(study, _prolific())
    person.answer(person.take_task(), "2")

    response = _come(person, _prolific())

    assert response.url == person.address("task")
    assert "Task 2 of 2" in person.get("task").content.decode()
    assert (Rater.objects.count(), Submission.objects.count()) == (1, 1)
    assert list(RaterEvent.objects.values_list("kind", flat=True)) == [EventKind.REOPENED]


def test_an_id_alone_opens_nothing_that_was_begun_elsewhere() -> None:
    study = _make_study(n_tasks=2, information="Write to anna@example.org.")
    person = _join(study, _prolific())
    person.answer(person.take_task(), "2")
    stranger = Person(study)

    response = _come(stranger, _prolific())

    page = response.content.decode()
    assert response.status_code == 403
    assert "started in another browser" in page
    assert "anna@example.org" in page
    assert "rater-" not in "".join(response.cookies)
    assert stranger.get("task").url == stranger.address("join")
    assert list(RaterEvent.objects.values_list("kind", "rater")) == [(EventKind.ARRIVAL_REFUSED, person.rater.pk)]


def test_a_consent_that_was_fetched_before_opens_nothing_either() -> None:
    study = _make_study(n_tasks=2)
    stranger = Person(study)
    early = _come(stranger, _prolific())
    person = _join(study, _prolific())

    response = _agree(stranger, early)

    assert response.status_code == 403
    assert "rater-" not in "".join(response.cookies)
    assert Rater.objects.get() == person.rater


def test_a_consent_that_a_browser_sends_twice_lets_it_in_twice() -> None:
    study = _make_study()
    person = Person(study)
    page = _come(person, _prolific())
    _agree(person, page)
    person.client.cookies.clear()

    assert _agree(person, page).url == person.address("instructions")
    assert Rater.objects.count() == 1


def test_new_terms_are_asked_of_the_same_browser_alone() -> None:
    study = _make_study(n_tasks=2)
    person = _join(study, _prolific())
    newest = study.versions.latest("number")
    design = {**newest.design, "consent": "Other words."}
    StudyVersion.objects.create(study=study, number=newest.number + 1, design=design, created_at=NOW)

    assert _come(Person(study), _prolific()).status_code == 403
    assert _agree(person, _come(person, _prolific())).status_code == 302
    assert Consent.objects.count() == 2


def test_rater_of_a_panel_goes_on_elsewhere_by_the_link_of_the_pause() -> None:
    study = _make_study(n_tasks=2)
    person = _join(study, _prolific())
    person.answer(person.take_task(), "2")
    link = re.search("<code class=.link.>([^<]*)</code>", person.get("pause").content.decode())[1]
    phone = Person(study)

    phone.client.get(link)

    assert "Task 2 of 2" in phone.get("task").content.decode()
    assert _come(phone, _prolific()).url == phone.address("task")


def test_signed_address_opens_the_part_anywhere_and_an_unsigned_one_takes_nobody_in() -> None:
    secret = "a secret of sixteen"
    panel = Panel(kind=PanelKind.GENERIC, codes=CODES, is_signed=True, signing_secret=secret)
    study = make_open_study(n_tasks=1, panel=panel)
    signed = {"participant": "7", "signature": sign_parameters({"participant": "7"}, secret=secret)}
    _join(study, signed)

    phone = Person(study)

    assert _come(phone, signed).url == phone.address("instructions")
    assert _come(Person(study), {"participant": "7"}).status_code == 403
    assert _come(Person(study), signed | {"participant": "8"}).status_code == 403
    assert Rater.objects.count() == 1


def test_personal_link_opens_the_part_anywhere() -> None:
    study = _make_study(PanelKind.IN_HOUSE)
    (zoe,) = invite(study, ["zoe"], now=NOW)
    _join(study, {"invitation": zoe.token})
    phone = Person(study)

    assert _come(phone, {"invitation": zoe.token}).url == phone.address("instructions")


def test_addresses_that_name_somebody_are_limited_like_consents(settings) -> None:
    settings.ACCORDANCE_JOINS_PER_MINUTE = 3
    study = _make_study()

    seen = [_come(Person(study), _prolific(session=f"s{number}")).status_code for number in range(5)]
    bare = Person(study).get("join").status_code

    assert (seen, bare) == ([200, 200, 200, 429, 429], 403)


@pytest.mark.parametrize("proof", ["", OTHER_PID])
def test_withdrawing_asks_once_more_who_it_is(proof) -> None:
    person = _join(_make_study(), _prolific())

    page = person.post_refused("withdraw", {"answers": "erase", "proof": proof}).content.decode()

    assert ("does not match the record" if proof else "Please confirm who you are") in page
    assert re.search(r'value="erase"[^>]* checked', page)
    assert OTHER_PID not in page
    assert Identity.objects.count() == 1
    kinds = RaterEvent.objects.values_list("kind", "details__reason")
    assert list(kinds) == ([(EventKind.REFUSED, "WrongProof")] if proof else [])


def test_ids_cannot_be_tried_at_a_withdrawal() -> None:
    person = _join(_make_study(), _prolific())
    for _ in range(10):
        person.post("withdraw", {"answers": "erase", "proof": OTHER_PID})

    page = person.post_refused("withdraw", {"answers": "erase", "proof": PID})

    assert "Too many wrong attempts" in page.content.decode()
    assert Identity.objects.count() == 1


def test_personal_link_proves_at_a_withdrawal_who_it_is() -> None:
    study = _make_study(PanelKind.IN_HOUSE)
    zoe, other = invite(study, ["zoe", "other"], now=NOW)
    person = _join(study, {"invitation": zoe.token})
    link = f"https://study.example.org{person.address('join')}?invitation="

    assert person.post("withdraw", {"answers": "keep", "proof": link + other.token}).status_code == 302
    assert Withdrawal.objects.count() == 0
    assert person.post("withdraw", {"answers": "keep", "proof": link + zoe.token}).status_code == 200


def test_panel_goes_before_the_cookie_on_a_shared_computer() -> None:
    study = _make_study()
    person = _join(study, _prolific())

    page = _come(person, _prolific(OTHER_PID, "s2"))
    _agree(person, page)

    assert Rater.objects.count() == Identity.objects.count() == 2


def test_finished_rater_goes_back_with_the_code_and_the_visit_ends() -> None:
    person = _join(_make_study(), _prolific())
    person.answer(person.take_task(), "2")

    assert person.get("task").url == person.address("thanks")
    page = person.get("thanks").content.decode()

    assert 'href="https://app.prolific.com/submissions/complete?cc=DONE1"' in page
    submission = Submission.objects.get()
    assert (submission.outcome, submission.code) == ("finished", "DONE1")
    assert submission.ended_at is not None


def test_who_leaves_gets_the_code_for_that() -> None:
    person = _join(_make_study(), _prolific())
    person.post("leave-now")

    assert "cc=LEFT1" in person.get("thanks").content.decode()
    assert Submission.objects.get().outcome == "left"


@pytest.mark.parametrize(("n_tasks", "code", "outcome"), [(1, "DONE1", "finished"), (2, "LEFT1", "cut_short")])
def test_closed_study_still_shows_the_way_back(n_tasks, code, outcome) -> None:
    study = _make_study(n_tasks=n_tasks)
    person = _join(study, _prolific())
    person.answer(person.take_task(), "2")
    person.get("task")
    close_study(study, now=NOW)

    page = person.get("thanks").content.decode()

    assert f"cc={code}" in page
    assert f'href="{person.address("leave")}"' in page
    assert Submission.objects.get().outcome == outcome
    assert "cc=" not in Person(study).get("join").content.decode()


@pytest.mark.parametrize(("n_tasks", "code"), [(1, "DONE1"), (2, "WITHD1")])
def test_who_withdraws_goes_back_with_what_was_earned(n_tasks, code) -> None:
    person = _join(_make_study(n_tasks=n_tasks), _prolific())
    person.answer(person.take_task(), "2")
    person.get("task")

    page = person.post("withdraw", {"answers": "erase", "proof": PID}).content.decode()

    assert f"cc={code}" in page
    assert Submission.objects.count() == 0


def test_who_withdraws_can_hand_in_the_assignment() -> None:
    person = _join(_make_study(PanelKind.AMT), {**AMT, "window": "1"})

    response = person.post("withdraw", {"answers": "keep", "proof": "W1"})

    assert 'action="https://www.mturk.com/mturk/externalSubmit"' in response.content.decode()
    assert "form-action 'self' https://www.mturk.com" in response["Content-Security-Policy"]


def test_who_declines_gets_a_code_and_is_not_stored() -> None:
    person = Person(_make_study())
    _come(person, _prolific())

    page = person.post("decline").content.decode()

    assert "cc=NOCONS" in page
    assert [model.objects.count() for model in (Rater, Identity, Submission)] == [0, 0, 0]


def test_nobody_joins_a_panel_study_by_the_bare_link() -> None:
    person = Person(_make_study())

    assert person.get("join").status_code == 403
    assert person.post("join", {"agrees": "on"}).status_code == 403
    assert Rater.objects.count() == 0


@pytest.mark.parametrize("forged", ["made-up", "eyJ9:abc:def"])
def test_forged_arrival_is_refused(forged) -> None:
    response = Person(_make_study()).post("join", {"agrees": "on", "arrival": forged})

    assert response.status_code == 403
    assert "open the study again" in response.content.decode()
    assert Rater.objects.count() == 0


def test_arrival_at_another_study_lets_nobody_in() -> None:
    other = make_open_study("other", n_tasks=1, panel=Panel(kind=PanelKind.GENERIC, codes=CODES))
    page = _come(Person(other), {"participant": "anybody"})
    study = _make_study(PanelKind.IN_HOUSE)

    response = _agree(Person(study), page)

    assert response.status_code == 403
    assert Rater.objects.count() == 0


def test_wrong_id_is_refused_with_words() -> None:
    response = _come(Person(_make_study()), _prolific("{{%PROLIFIC_PID%}}"))

    assert response.status_code == 403
    assert "24 digits and letters" in response.content.decode()


def test_copied_address_of_another_visit_is_refused_and_nothing_is_left() -> None:
    study = _make_study()
    _join(study, _prolific())
    thief = Person(study)

    response = _agree(thief, _come(thief, _prolific(OTHER_PID, "s1")))

    assert response.status_code == 403
    assert (Rater.objects.count(), Identity.objects.count(), Submission.objects.count()) == (1, 1, 1)


def test_personal_link_takes_in_and_marks_the_invitation_used() -> None:
    study = _make_study(PanelKind.IN_HOUSE)
    (zoe,) = invite(study, ["zoe"], now=NOW)
    person = Person(study)

    assert _come(person, {"invitation": "made-up"}).status_code == 403
    _agree(person, _come(person, {"invitation": zoe.token}))

    assert Rater.objects.count() == 1


def test_amt_preview_shows_all_and_stores_nothing() -> None:
    study = _make_study(PanelKind.AMT)
    preview = {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "H1"}

    page = _come(Person(study), preview)

    text = page.content.decode()
    assert "This is a preview" in text
    assert "I have read this" not in text
    assert Rater.objects.count() == Submission.objects.count() == 0


def test_amt_assignment_goes_back_by_a_real_form_to_the_panel() -> None:
    person = _join(_make_study(PanelKind.AMT), AMT | {"window": "1"})
    person.answer(person.take_task(), "2")
    person.get("task")

    response = person.get("thanks")

    page = response.content.decode()
    assert '<form method="post" action="https://www.mturk.com/mturk/externalSubmit">' in page
    assert '<input type="hidden" name="assignmentId" value="A1">' in page
    assert "csrfmiddlewaretoken" not in page
    assert "form-action 'self' https://www.mturk.com" in response["Content-Security-Policy"]
    assert Judgment.objects.count() == 1


def test_amt_page_in_the_frame_leads_to_a_window_of_its_own() -> None:
    response = _come(Person(_make_study(PanelKind.AMT)), AMT)

    page = response.content.decode()
    assert 'target="_blank"' in page
    assert "window=1" in page
    assert "<form" not in page
    assert (
        "frame-ancestors https://www.mturk.com https://workersandbox.mturk.com" in (response["Content-Security-Policy"])
    )
    assert "X-Frame-Options" not in response


def _is_framable(response):
    origins = "frame-ancestors https://www.mturk.com https://workersandbox.mturk.com"
    return (origins in response["Content-Security-Policy"], "X-Frame-Options" not in response)


def test_pages_of_a_study_that_takes_nobody_can_stand_in_the_frame() -> None:
    study = _make_study(PanelKind.AMT)
    refused = _come(Person(study), AMT | {"turkSubmitTo": "https://evil.example"})
    Study.objects.update(state=StudyState.DRAFT)
    draft = _come(Person(study), AMT)
    Study.objects.update(state=StudyState.CLOSED)
    closed = _come(Person(study), AMT)
    elsewhere = Person(_make_study(name="elsewhere"))
    Study.objects.update(state=StudyState.CLOSED)

    titles = ("has not started yet", "This study has ended")
    assert [_is_framable(page) for page in (refused, draft, closed)] == [(True, True)] * 3
    assert [title in page.content.decode() for title, page in zip(titles, (draft, closed), strict=True)] == [True] * 2
    assert _is_framable(_come(elsewhere, _prolific())) == (False, False)


def test_other_pages_stay_out_of_frames() -> None:
    response = _come(Person(_make_study(PanelKind.AMT)), AMT | {"window": "1"})

    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "DENY"

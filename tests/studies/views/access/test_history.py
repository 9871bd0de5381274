"""Tests of the page of the audit log."""

import pytest

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.enums import AuditAction, Interface
from tests.factories.studies import NOW, make_study

PAGE = "/studies/study/history/"


@pytest.fixture
def study(owner):
    return make_study(owner=owner)


def test_history_says_who_did_what(researcher, study, owner):
    record_change(study, actor=COMMAND_LINE, action=AuditAction.CREATED, now=NOW, details={"kind": "rating", "n": 3})
    record_change(study, actor=Actor(owner, Interface.API), action=AuditAction.OPENED, now=NOW, details={"was": "<b>"})

    page = researcher.get(PAGE).content.decode()

    assert "kind: rating; n: 3" in page
    assert "was: &lt;b&gt;" in page
    assert page.index("Opened the study") < page.index("Created the study")
    assert "no user" in page


def test_details_are_words(researcher, study):
    details = {"fields": ["consent", "pay.reward"], "is": 2, "was": 1, "says_stop": False}
    record_change(study, actor=COMMAND_LINE, action=AuditAction.DESIGNED, now=NOW, details=details)

    assert "was: 1; is: 2; fields: consent, pay.reward; says_stop: false" in researcher.get(PAGE).content.decode()


def test_details_leave_out_what_is_empty_and_shorten_digests(researcher, study):
    metrics = {"bleu-4": {}, "cider-d": {"n": 3}}
    details = {"metrics": metrics, "protocol": "", "run": 1, "sha256": "0123456789abcdef"}
    record_change(study, actor=COMMAND_LINE, action=AuditAction.SCORED, now=NOW, details=details)

    shown = researcher.get(PAGE).content.decode()

    assert "metrics: bleu-4, cider-d (n 3); run: 1; sha256: 0123456789ab<" in shown


def test_an_empty_history_says_so(researcher, study):
    assert "No changes have been recorded." in researcher.get(PAGE).content.decode()


def test_long_history_comes_in_pages(researcher, study):
    for number in range(51):
        record_change(
            study, actor=COMMAND_LINE, action=AuditAction.RENAMED, now=NOW, details={"title": f"title {number}."}
        )

    second = researcher.get(f"{PAGE}?page=2").content.decode()

    assert ("title: title 0." in second, "title: title 1." in second) == (True, False)
    assert "Page 2 of 2" in second


def test_file(researcher, study):
    response = researcher.get("/studies/study/history.csv")

    assert response["Content-Disposition"] == 'attachment; filename="study-history.csv"'
    assert b"".join(response) == b"at,actor,interface,action,details\r\n"


@pytest.mark.parametrize("n_entries", [1, 3])
def test_queries_do_not_grow(researcher, study, n_entries, django_assert_num_queries):
    for _ in range(n_entries):
        record_change(study, actor=COMMAND_LINE, action=AuditAction.OPENED, now=NOW)

    with django_assert_num_queries(6):
        researcher.get(PAGE)

"""Tests of comments: what they are on, their limits, and what the history keeps of them."""

import pytest
from django.db import IntegrityError

from studies.access.audit import Actor
from studies.collaboration.comments import (
    LONGEST,
    CommentRefused,
    add_comment,
    count_comments,
    delete_comment,
    list_comments,
)
from studies.enums import Interface
from studies.models import AuditEntry, Comment, FrozenReport
from tests.factories.studies import NOW, make_study, make_user
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make_study(owner=make_user())


@pytest.fixture
def actor(study):
    return Actor(user=study.owner, interface=Interface.PAGE)


def list_history():
    return list(AuditEntry.objects.order_by("pk").values_list("action", "actor_name", "details"))


def test_comments_of_an_item_are_listed_in_order(study, actor):
    first, second = list_items(study)
    for text in ("  Is that a dog?\n", "A wolf."):
        add_comment(first, text=text, actor=actor, now=NOW)

    assert [(each.text, each.author, each.study) for each in list_comments(first)] == [
        ("Is that a dog?", study.owner, study),
        ("A wolf.", study.owner, study),
    ]
    assert list(list_comments(second)) == []
    assert count_comments([first, second]) == {first.pk: 2}


def test_comment_on_a_report_is_written_and_deleted(study, actor):
    report = FrozenReport.objects.create(study=study, number=3, content="{}", digest="0" * 64, made_at=NOW)
    comment = add_comment(report, text="A secret text.", actor=actor, now=NOW)
    pk = comment.pk
    delete_comment(comment, actor=Actor(make_user("editor"), Interface.PAGE), now=NOW)

    assert not Comment.objects.exists()
    assert list_history() == [
        ("commented", "owner", {"comment": pk, "report": 3}),
        ("comment_deleted", "editor", {"comment": pk, "report": 3, "author": "owner"}),
    ]


def test_comment_is_deleted_once(study, actor):
    comment = add_comment(list_items(study)[0], text="Once.", actor=actor, now=NOW)
    delete_comment(Comment.objects.get(), actor=actor, now=NOW)
    delete_comment(comment, actor=actor, now=NOW)

    assert [action for action, *_ in list_history()] == ["commented", "comment_deleted"]


@pytest.mark.parametrize(("text", "problem"), [(" \n ", "must have a text"), ("x" * (LONGEST + 1), "got 4001")])
def test_text_has_limits(study, actor, text, problem):
    with pytest.raises(CommentRefused, match=problem):
        add_comment(list_items(study)[0], text=text, actor=actor, now=NOW)

    assert (Comment.objects.count(), list_history()) == (0, [])


def test_comment_is_on_one_thing(study):
    with pytest.raises(IntegrityError, match="comment_is_on_one_item_or_report"):
        Comment.objects.create(study=study, text="On nothing.", made_at=NOW)

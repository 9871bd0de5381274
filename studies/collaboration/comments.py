"""Comments of members on items and reports of a study."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, QuerySet

from studies.access.audit import Actor, record_change
from studies.enums import AuditAction
from studies.models import Comment, FrozenReport, Item, Study
from studies.shared.errors import Refusal

LONGEST: Final = 4000
"""The largest number of characters of a comment."""


class CommentRefused(Refusal):
    """A comment has no text, or too long a one; the message says which."""


@transaction.atomic
def add_comment(on: Item | FrozenReport, *, text: str, actor: Actor, now: datetime) -> Comment:
    """Add a comment on an item or a report, as plain text without surrounding white space.

    Raises:
        CommentRefused: The text is empty or has more than `LONGEST` characters.
    """
    text = text.strip()
    if not text:
        raise CommentRefused("a comment must have a text")
    if len(text) > LONGEST:
        raise CommentRefused(f"a comment has at most {LONGEST} characters, got {len(text)}")
    study = on.task.study if isinstance(on, Item) else on.study
    target = {"item": on} if isinstance(on, Item) else {"report": on}
    comment = Comment.objects.create(study=study, author=actor.user, text=text, made_at=now, **target)
    record_change(study, actor=actor, action=AuditAction.COMMENTED, now=now, details=_describe(comment))
    return comment


@transaction.atomic
def delete_comment(comment: Comment, *, actor: Actor, now: datetime) -> None:
    """Delete a comment; the history keeps who wrote it and who deleted it, without the text."""
    author = comment.author.get_username() if comment.author else ""
    details = {**_describe(comment), "author": author}
    if Comment.objects.filter(pk=comment.pk).delete()[0]:
        record_change(comment.study, actor=actor, action=AuditAction.COMMENT_DELETED, now=now, details=details)


def list_comments(on: Item | FrozenReport) -> QuerySet[Comment]:
    """Return the comments on an item or a report, oldest first, each with its author."""
    return on.comments.select_related("author").order_by("pk")


def select_comments(study: Study) -> QuerySet[Comment]:
    """Return the comments of a study with what deleting one needs."""
    comments = Comment.objects.filter(study=study).select_related("study", "item", "report", "author")
    return comments.defer("report__content", "report__facts")


def count_comments(items: Iterable[Item]) -> dict[int, int]:
    """Return the number of comments of each of these items that has some, by primary key, in one query."""
    counted = Comment.objects.filter(item__in=[item.pk for item in items]).order_by().values_list("item")
    return dict(counted.annotate(n=Count("pk")))


def _describe(comment: Comment) -> dict[str, Any]:
    if comment.item is not None:
        return {"comment": comment.pk, "item": comment.item.key}
    return {"comment": comment.pk, "report": comment.report.number if comment.report else None}

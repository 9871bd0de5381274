"""What pages with comments show of them."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from studies.collaboration.comments import list_comments
from studies.forms.comment import CommentForm
from studies.models import FrozenReport, Item, Study
from studies.rules import MANAGE_STUDY


def describe_comments(
    request: HttpRequest, study: Study, on: Item | FrozenReport, *, form: CommentForm | None = None
) -> dict[str, Any]:
    """Return the context of `studies/comments.html`: the comments on an item or a report, and the form for one."""
    address = (
        reverse("studies:item_comment", args=[study.name, on.pk])
        if isinstance(on, Item)
        else reverse("studies:report_comment", args=[study.name, on.number])
    )
    return {
        "comments": list_comments(on),
        "comment_form": form or CommentForm(),
        "comment_address": address,
        "may_delete_comments": request.user.has_perm(MANAGE_STUDY, study),
    }

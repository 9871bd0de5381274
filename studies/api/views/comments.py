"""Comments on items and reports."""

from typing import ClassVar

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from studies.api.fetch import fetch_study, may, who_and_when
from studies.api.views.base import ApiView, describe, list_of
from studies.collaboration.comments import LONGEST, add_comment, delete_comment, list_comments, select_comments
from studies.models import ApiToken, Comment, FrozenReport, Item, Study
from studies.publishing.freezing import find_report
from studies.rules import ANALYSE_STUDY, MANAGE_STUDY, VIEW_STUDY


class CommentSerializer(serializers.ModelSerializer):
    """A comment, on an item or a report."""

    author = serializers.CharField(source="author.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Comment
        fields: ClassVar = ["id", "author", "text", "made_at"]


class NewCommentSerializer(serializers.Serializer):
    """The text of a comment, in which nothing is markup."""

    text = serializers.CharField(max_length=LONGEST)


class ItemComments(ApiView):
    """The comments on an item."""

    @list_of(CommentSerializer, "List the comments on an item\nOldest first.")
    def get(self, request: Request, name: str, pk: int) -> Response:
        on = _fetch_item(fetch_study(request, name), pk)
        return self.answer_page(list_comments(on), CommentSerializer, request)

    @describe(
        "Comment on an item\nNeeds membership; with a token the role analyst.",
        body=NewCommentSerializer,
        example={"text": "Is that a dog?"},
        answer=CommentSerializer,
        status=201,
    )
    def post(self, request: Request, name: str, pk: int) -> Response:
        return _add(self, request, _fetch_item(_fetch_for_writing(request, name), pk))


class ReportComments(ApiView):
    """The comments on a frozen report."""

    @list_of(CommentSerializer, "List the comments on a report\nOldest first.")
    def get(self, request: Request, name: str, number: int) -> Response:
        on = find_report(fetch_study(request, name), number)
        return self.answer_page(list_comments(on), CommentSerializer, request)

    @describe(
        "Comment on a report\nNeeds membership; with a token the role analyst.",
        body=NewCommentSerializer,
        example={"text": "Use this one in the paper."},
        answer=CommentSerializer,
        status=201,
    )
    def post(self, request: Request, name: str, number: int) -> Response:
        return _add(self, request, find_report(_fetch_for_writing(request, name), number))


class CommentDetail(ApiView):
    """One comment."""

    @describe("Delete a comment\nYour own; the owner can also delete those of others.", answer=None, status=204)
    def delete(self, request: Request, name: str, pk: int) -> Response:
        study = _fetch_for_writing(request, name)
        comment = get_object_or_404(select_comments(study), pk=pk)
        if comment.author_id != request.user.pk and not may(request, study, MANAGE_STUDY):
            raise PermissionDenied("Only the owner of a study may delete other people's comments.")
        delete_comment(comment, **who_and_when(request))
        return Response(status=204)


def _fetch_for_writing(request: Request, name: str) -> Study:
    # Viewers comment on pages, but a token for reading changes nothing.
    return fetch_study(request, name, ANALYSE_STUDY if isinstance(request.auth, ApiToken) else VIEW_STUDY)


def _fetch_item(study: Study, pk: int) -> Item:
    return get_object_or_404(Item.objects.select_related("task__study"), pk=pk, task__study=study)


def _add(view: ApiView, request: Request, on: Item | FrozenReport) -> Response:
    text = view.read(NewCommentSerializer, request).validated_data["text"]
    made = add_comment(on, text=text, **who_and_when(request))
    return Response(CommentSerializer(made).data, status=201)

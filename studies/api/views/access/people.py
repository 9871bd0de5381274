"""The members, tokens and history of a study."""

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from studies.access.history import list_history, write_history
from studies.access.members import add_member, change_role, list_members, remove_member
from studies.access.tokens import list_tokens, make_token, revoke_token
from studies.api.fetch import fetch_study, may, refuse_tokens, who_and_when
from studies.api.serializers.people import (
    EntrySerializer,
    MadeTokenSerializer,
    MemberSerializer,
    NewMemberSerializer,
    NewTokenSerializer,
    RoleSerializer,
    TokenSerializer,
)
from studies.api.views.base import ApiView, describe, file_of, list_of
from studies.enums import MemberRole
from studies.models import ApiToken, Study, StudyMember
from studies.rules import ANALYSE_STUDY, MANAGE_STUDY
from studies.shared.content_types import send_lines


class MemberList(ApiView):
    """The members of a study."""

    @list_of(MemberSerializer, "List members")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(list_members(fetch_study(request, name)), MemberSerializer, request)

    @describe(
        "Add a member",
        body=NewMemberSerializer,
        example={"username": "ada", "role": "analyst"},
        answer=MemberSerializer,
        status=201,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, MANAGE_STUDY)
        given = self.read(NewMemberSerializer, request).validated_data
        role = MemberRole(given["role"])
        made = add_member(study, username=given["username"], role=role, **who_and_when(request))
        return Response(MemberSerializer(made).data, status=201)


class MemberDetail(ApiView):
    """One member."""

    @describe("Change a member's role", body=RoleSerializer, example={"role": "editor"}, answer=MemberSerializer)
    def put(self, request: Request, name: str, username: str) -> Response:
        member = _fetch_member(fetch_study(request, name, MANAGE_STUDY), username)
        role = MemberRole(self.read(RoleSerializer, request).validated_data["role"])
        change_role(member, role=role, **who_and_when(request))
        return Response(MemberSerializer(member).data)

    @describe("Remove a member", answer=None, status=204)
    def delete(self, request: Request, name: str, username: str) -> Response:
        member = _fetch_member(fetch_study(request, name, MANAGE_STUDY), username)
        remove_member(member, **who_and_when(request))
        return Response(status=204)


class TokenList(ApiView):
    """The tokens of a study."""

    @list_of(TokenSerializer, "List tokens\nYour own; the owner also sees those of others.")
    def get(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, ANALYSE_STUDY)
        made_by = None if may(request, study, MANAGE_STUDY) else request.user
        return self.answer_page(list_tokens(study, made_by=made_by), TokenSerializer, request)

    @describe(
        "Create a token\nNeeds a login: a token cannot create another. The secret is shown only once.",
        body=NewTokenSerializer,
        example={"name": "notebook", "role": "analyst", "days": 30},
        answer=MadeTokenSerializer,
        status=201,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, ANALYSE_STUDY)
        refuse_tokens(request)
        given = self.read(NewTokenSerializer, request).validated_data
        made = make_token(
            study, name=given["name"], role=MemberRole(given["role"]), days=given.get("days"), **who_and_when(request)
        )
        return Response(MadeTokenSerializer(made).data, status=201, headers={"Cache-Control": "no-store"})


class TokenDetail(ApiView):
    """One token."""

    @describe("Revoke a token\nYour own; the owner can also revoke those of others.", answer=None, status=204)
    def delete(self, request: Request, name: str, pk: int) -> Response:
        study = fetch_study(request, name, ANALYSE_STUDY)
        token = get_object_or_404(ApiToken.objects.select_related("study"), study=study, pk=pk)
        if token.made_by_id != request.user.pk and not may(request, study, MANAGE_STUDY):
            raise PermissionDenied("Only the owner of a study may revoke other members' tokens.")
        revoke_token(token, **who_and_when(request))
        return Response(status=204)


class HistoryList(ApiView):
    """The changes of a study."""

    @list_of(EntrySerializer, "List the history\nNewest first.")
    def get(self, request: Request, name: str) -> Response:
        return self.answer_page(list_history(fetch_study(request, name)), EntrySerializer, request)


class HistoryFile(ApiView):
    """The history as a file."""

    @describe("Download the history as CSV", answer=file_of("text/csv"))
    def get(self, request: Request, name: str) -> StreamingHttpResponse:
        study = fetch_study(request, name)
        file_name = f"{study.name}-history.csv"
        return send_lines(write_history(study), file_name=file_name)


def _fetch_member(study: Study, username: str) -> StudyMember:
    members = StudyMember.objects.select_related("user", "study")
    return get_object_or_404(members, study=study, user__username=username)

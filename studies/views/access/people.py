"""Members of a study and their roles, its owner, and API tokens."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from studies.access.members import CannotChangeMembers, add_member, change_role, list_members, remove_member
from studies.access.offers import find_offer, offer_study, withdraw_offer
from studies.access.tokens import list_tokens, make_token, revoke_token
from studies.enums import MemberRole
from studies.forms.access.people import MemberForm, OwnerForm, RoleForm, TokenForm
from studies.models import ApiToken, Study, StudyMember
from studies.rules import ANALYSE_STUDY, MANAGE_STUDY
from studies.views.fetch import fetch_analysable_study, fetch_managed_study, fetch_study, who_and_when
from studies.views.refusals import refusals_in


@login_required
@require_safe
def show_people(request: HttpRequest, name: str) -> HttpResponse:
    return _show(request, fetch_study(request, name))


@login_required
@require_POST
def add_to_study(request: HttpRequest, name: str) -> HttpResponse:
    study, form = fetch_managed_study(request, name), MemberForm(request.POST)

    def add(username: str, role: str) -> None:
        add_member(study, username=username, role=MemberRole(role), **who_and_when(request))

    return _change(request, study, form, add, done="The member has been added.", shown_as="member_form")


@login_required
@require_POST
def change_in_study(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    study, form = fetch_managed_study(request, name), RoleForm(request.POST)
    member = get_object_or_404(StudyMember.objects.select_related("user", "study"), pk=pk, study=study)

    def change(role: str) -> None:
        change_role(member, role=MemberRole(role), **who_and_when(request))

    return _change(request, study, form, change, done="The role has been changed.", shown_as="role_form")


@login_required
@require_POST
def remove_from_study(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    study = fetch_managed_study(request, name)
    member = get_object_or_404(StudyMember.objects.select_related("user", "study"), pk=pk, study=study)
    remove_member(member, **who_and_when(request))
    messages.success(request, f"{member.user.get_username()} is no longer a member.")
    return redirect("studies:people", name)


@login_required
@require_POST
def offer_to_owner(request: HttpRequest, name: str) -> HttpResponse:
    study, form = fetch_managed_study(request, name), OwnerForm(request.POST)

    def offer(username: str) -> None:
        offer_study(study, username=username, **who_and_when(request))

    done = f"{form.data.get('username', '')} has been offered the study."
    return _change(request, study, form, offer, done=done, shown_as="owner_form")


@login_required
@require_POST
def withdraw_from_owner(request: HttpRequest, name: str) -> HttpResponse:
    study, form = fetch_managed_study(request, name), forms.Form(request.POST)

    def withdraw() -> None:
        withdraw_offer(study, **who_and_when(request))

    return _change(request, study, form, withdraw, done="The offer has been withdrawn.", shown_as="offer_form")


@login_required
@require_POST
@never_cache
def make_study_token(request: HttpRequest, name: str) -> HttpResponse:
    study, form = fetch_analysable_study(request, name), TokenForm(request.POST)
    if not form.is_valid():
        return _show(request, study, status=422, token_form=form)
    made = make_token(
        study,
        name=form.cleaned_data["name"],
        role=MemberRole(form.cleaned_data["role"]),
        days=form.cleaned_data["days"],
        **who_and_when(request),
    )
    # Shown without a redirect, which would require storing the secret.
    return _show(request, study, status=201, made=made)


@login_required
@require_POST
def revoke_study_token(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    study = fetch_analysable_study(request, name)
    token = get_object_or_404(ApiToken.objects.select_related("study"), pk=pk, study=study)
    if token.made_by_id != request.user.pk and not request.user.has_perm(MANAGE_STUDY, study):
        raise PermissionDenied("Only the owner of a study may revoke other members' tokens.")
    revoke_token(token, **who_and_when(request))
    messages.success(request, "The token has been revoked.")
    return redirect("studies:people", name)


def _change(
    request: HttpRequest, study: Study, form: forms.Form, change: Callable[..., None], *, done: str, shown_as: str
) -> HttpResponse:
    if form.is_valid():
        with refusals_in(form, CannotChangeMembers, capital=True):
            change(**form.cleaned_data)
            messages.success(request, done)
            return redirect("studies:people", study.name)
    return _show(request, study, status=422, **{shown_as: form})


def _show(request: HttpRequest, study: Study, *, status: int = 200, **extra: Any) -> HttpResponse:
    now = timezone.now()
    may_manage = request.user.has_perm(MANAGE_STUDY, study)
    may_make_tokens = request.user.has_perm(ANALYSE_STUDY, study)
    context = {
        "study": study,
        "tab": "studies:people",
        "members": list_members(study),
        "roles": MemberRole.choices,
        "may_manage": may_manage,
        "may_make_tokens": may_make_tokens,
        "tokens": list_tokens(study, made_by=None if may_manage else request.user) if may_make_tokens else (),
        "offer": find_offer(study, now=now) if may_manage else None,
        "now": now,
        "member_form": MemberForm(),
        "owner_form": OwnerForm(prefix=None, auto_id="id_owner_%s"),
        "token_form": TokenForm(auto_id="id_token_%s"),
        **extra,
    }
    return render(request, "studies/people.html", context, status=status)

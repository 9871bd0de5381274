"""Creates studies from uploaded files and from other studies."""

import json
from secrets import SystemRandom
from typing import Any

from django.conf import settings
from django.http import Http404
from django.utils import timezone
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from jobs.models import Job
from studies.api.fetch import fetch_study, make_actor, refuse_tokens, who_and_when
from studies.api.parsing import TooLarge, read_length
from studies.api.serializers.studies import StudyDetailSerializer
from studies.api.serializers.uploads import (
    CloneSerializer,
    JudgmentUploadSerializer,
    UploadSerializer,
    UploadStateSerializer,
)
from studies.api.views.base import ApiView, describe, read_form
from studies.api.views.studies import show_detail
from studies.datasets.cloning import apply_setting, clone_study, name_copy, read_settings
from studies.datasets.drafts.checks import Preview
from studies.datasets.drafts.upload_jobs import ask_for_draft, discard_upload, find_upload_job, send_data, send_upload
from studies.datasets.names import choose_name
from studies.datasets.staged_uploads import Staged, find_staged
from studies.design.study_facts import load_facts
from studies.forms.new_study import NewStudyForm
from studies.rules import CHANGE_STUDY
from studies.shared.errors import ImportFailed, SourceLocation


class _Uploads(ApiView):
    """Receives files as a form; a form that is too large is not read."""

    parser_classes = [MultiPartParser]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Check the length before authentication, since the CSRF check reads the whole form.
        if read_length(request) > settings.ACCORDANCE_UPLOAD_MB << 20:
            most = f"At most {settings.ACCORDANCE_UPLOAD_MB:,} MB can be uploaded at once"
            raise TooLarge(f"{most}; ask the operator for a higher limit.")
        super().initial(request, *args, **kwargs)

    def take(self, request: Request, *, make: bool) -> Response:
        """Store an upload and return the URL of its state."""
        refuse_tokens(request)
        form = NewStudyForm(request.data, request.FILES)
        read_form(form)
        actor, now = make_actor(request), timezone.now()
        staged, job = send_upload(choices=form.choices, files=form.sent, actor=actor, now=now, make=make)
        return _show_upload(request, staged.token, job, status=202)


class UploadList(_Uploads):
    """Drafts from files."""

    @describe(
        "Create a draft from files\nIn the background: poll the upload until it is `done` or `failed`. Errors in "
        "the files are listed in `look`; no study is created then. Without a `name`, one is made from the `title`; a "
        "number is added to a name that is taken: go on with the `study` of the answer.",
        body={"multipart/form-data": UploadSerializer},
        answer=UploadStateSerializer,
        status=202,
    )
    def post(self, request: Request) -> Response:
        return self.take(request, make=True)


class UploadLook(_Uploads):
    """Checks of files, without creating a draft."""

    @describe(
        "Check files before creating a draft\nIn the background: poll the upload until it is `done` or `failed`. "
        "`look` has the first rows, the counts, and all errors.",
        body={"multipart/form-data": UploadSerializer},
        answer=UploadStateSerializer,
        status=202,
    )
    def post(self, request: Request) -> Response:
        return self.take(request, make=False)


class JudgmentUpload(_Uploads):
    """A closed study from a table of judgments."""

    @describe(
        "Import judgments from files\nCreates closed studies, as `manage.py import_data` does, in the "
        "background: poll the upload until it is `done` or `failed`. A number is added to a name that is taken: go on "
        "with the `study` of the answer.",
        body={"multipart/form-data": JudgmentUploadSerializer},
        answer=UploadStateSerializer,
        status=202,
    )
    def post(self, request: Request) -> Response:
        refuse_tokens(request)
        given = self.read(JudgmentUploadSerializer, request).validated_data
        files = {"items": given.pop("judgments"), "references": given.pop("references", None)}
        choices = {**given, "columns": json.dumps(given.pop("columns"))}
        staged, job = send_data(choices=choices, files=files, **who_and_when(request))
        return _show_upload(request, staged.token, job, status=202)


class UploadDetail(ApiView):
    """One upload of the account."""

    @describe(
        "Show an upload\nIts progress, what was found, and the study that was created.", answer=UploadStateSerializer
    )
    def get(self, request: Request, token: str) -> Response:
        refuse_tokens(request)
        return _show_upload(request, token, _fetch_job(request, token))

    @describe("Delete an upload\nA study that was created from it is kept.", answer=None, status=204)
    def delete(self, request: Request, token: str) -> Response:
        refuse_tokens(request)
        discard_upload(_fetch_staged(request, token), now=timezone.now())
        return Response(status=204)


class UploadMake(ApiView):
    """A draft from a checked upload."""

    @describe(
        "Create a draft from an upload\nThe upload must have been checked and have no errors; in the background.",
        answer=UploadStateSerializer,
        status=202,
    )
    def post(self, request: Request, token: str) -> Response:
        refuse_tokens(request)
        job = ask_for_draft(_fetch_staged(request, token), **who_and_when(request))
        return _show_upload(request, token, job, status=202)


def _fetch_job(request: Request, token: str) -> Job:
    job = find_upload_job(token, user=request.user)
    if job is None:
        raise Http404("there is no such upload, or it belongs to another user")
    return job


def _fetch_staged(request: Request, token: str) -> Staged:
    staged = find_staged(token, user=request.user, now=timezone.now())
    if staged is None:
        raise Http404("uploads are kept for one day and are visible only to the user who sent them")
    return staged


def _show_upload(request: Request, token: str, job: Job, *, status: int = 200) -> Response:
    staged = find_staged(token, user=request.user, now=timezone.now())
    checked = staged.checked if staged else None
    state = {
        "token": token,
        "state": job.state,
        "doing": job.message if job.is_under_way else "",
        "n_done": job.n_done,
        "n_total": job.n_total,
        "problem": job.problem,
        "look": Preview.from_json(checked) if checked else None,
        "study": (job.result or {}).get("study"),
    }
    where = reverse("api:upload", args=[token], request=request)
    return Response(
        UploadStateSerializer(state).data, status=status, headers={"Location": where} if status == 202 else {}
    )


class Clone(ApiView):
    """A study cloned from another."""

    @describe(
        "Clone the study\nThe same tasks under another name, as a draft that you own; with `n_tasks`, a pilot with "
        "this many tasks. Without a `name`, one is made from the title; a number is added to a name that is taken.",
        body=CloneSerializer,
        example={"name": "pilot", "title": "A pilot", "n_tasks": 2},
        answer=StudyDetailSerializer,
        status=201,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, CHANGE_STUDY)
        refuse_tokens(request)
        given, facts = self.read(CloneSerializer, request).validated_data, load_facts(study)
        if given["n_tasks"] > facts.n_tasks:
            location = SourceLocation("the pilot", field="n_tasks")
            raise ImportFailed(
                location,
                f"must be at most {facts.n_tasks:,}, the number of main tasks of the study",
                got=given["n_tasks"],
            )
        title = given["title"] or given["name"] or name_copy(study.title)
        changes = apply_setting(facts.design, read_settings(given["changes"]))
        made = clone_study(
            study,
            name=choose_name(given["name"], title=title, owner=request.user),
            title=title,
            owner=request.user,
            changes=changes,
            n_tasks=given["n_tasks"],
            rng=SystemRandom(),
            **who_and_when(request),
        )
        return show_detail(request, made, status=201)

"""How studies are made: of files that are uploaded, and of other studies, whole or as a pilot."""

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
from studies.api.fetch import fetch_study, make_actor, refuse_tokens
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
from studies.datasets.cloning import apply_setting, clone_study, read_settings
from studies.datasets.drafting.checking import Preview
from studies.datasets.drafting.upload_jobs import (
    ask_for_draft,
    discard_upload,
    find_upload_job,
    send_judgments,
    send_upload,
)
from studies.datasets.staging import Staged, find_staged
from studies.design.facts import load_facts
from studies.forms.new_study import NewStudyForm
from studies.rules import CHANGE_STUDY
from studies.shared.errors import ImportFailed, SourceLocation


class _Uploads(ApiView):
    """Files come as a form, and nothing of them is read where there is too much."""

    parser_classes = [MultiPartParser]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before who asks is known: the check against forgery reads the whole form.
        if read_length(request) > settings.ACCORDANCE_UPLOAD_MB << 20:
            most = f"At most {settings.ACCORDANCE_UPLOAD_MB:,} MB can be sent at once"
            raise TooLarge(f"{most}; larger studies are made by manage.py create_study.")
        super().initial(request, *args, **kwargs)

    def take(self, request: Request, *, make: bool) -> Response:
        """Store what was sent, and answer where to ask what comes of it."""
        refuse_tokens(request)
        form = NewStudyForm(request.data, request.FILES)
        read_form(form)
        actor, now = make_actor(request), timezone.now()
        staged, job = send_upload(choices=form.choices, files=form.sent, actor=actor, now=now, make=make)
        return _show_upload(request, staged.token, job, status=202)


class UploadList(_Uploads):
    """A draft of files."""

    @describe(
        "Make a draft of files\nIn the background: ask for the upload until it is `done` or `failed`. All that is "
        "wrong with the files is listed in `look`, and then nothing is made.",
        body={"multipart/form-data": UploadSerializer},
        answer=UploadStateSerializer,
        status=202,
    )
    def post(self, request: Request) -> Response:
        return self.take(request, make=True)


class UploadLook(_Uploads):
    """Files looked at, and nothing made of them."""

    @describe(
        "Look at files before a draft is made of them\nIn the background: ask for the upload until it is `done` or "
        "`failed`; `look` has the first rows, how much there is, and all that is wrong.",
        body={"multipart/form-data": UploadSerializer},
        answer=UploadStateSerializer,
        status=202,
    )
    def post(self, request: Request) -> Response:
        return self.take(request, make=False)


class JudgmentUpload(_Uploads):
    """A closed study of a table of judgments."""

    @describe(
        "Import judgments of a file\nMakes a closed study of them, as `manage.py import_data table` does, in the "
        "background: ask for the upload until it is `done` or `failed`.",
        body={"multipart/form-data": JudgmentUploadSerializer},
        answer=UploadStateSerializer,
        status=202,
    )
    def post(self, request: Request) -> Response:
        refuse_tokens(request)
        given = self.read(JudgmentUploadSerializer, request).validated_data
        files = {"items": [given.pop("judgments")], "references": given.pop("references", None)}
        staged, job = send_judgments(**given, files=files, actor=make_actor(request), now=timezone.now())
        return _show_upload(request, staged.token, job, status=202)


class UploadDetail(ApiView):
    """One upload of the account."""

    @describe(
        "Show an upload\nHow far it is, what was found in it, and what was made of it.", answer=UploadStateSerializer
    )
    def get(self, request: Request, token: str) -> Response:
        refuse_tokens(request)
        return _show_upload(request, token, _fetch_job(request, token))

    @describe("Delete an upload\nThe study that was made of it stays.", answer=None, status=204)
    def delete(self, request: Request, token: str) -> Response:
        refuse_tokens(request)
        discard_upload(_fetch_staged(request, token), now=timezone.now())
        return Response(status=204)


class UploadMake(ApiView):
    """A draft of an upload that was looked at."""

    @describe(
        "Make a draft of an upload\nOne that was looked at, with nothing wrong; in the background.",
        answer=UploadStateSerializer,
        status=202,
    )
    def post(self, request: Request, token: str) -> Response:
        refuse_tokens(request)
        job = ask_for_draft(_fetch_staged(request, token), actor=make_actor(request), now=timezone.now())
        return _show_upload(request, token, job, status=202)


def _fetch_job(request: Request, token: str) -> Job:
    job = find_upload_job(token, user=request.user)
    if job is None:
        raise Http404("there is no such upload, or it is another's")
    return job


def _fetch_staged(request: Request, token: str) -> Staged:
    staged = find_staged(token, user=request.user, now=timezone.now())
    if staged is None:
        raise Http404("uploads are kept for a day, and shown to who sent them only")
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
    """A study made from another."""

    @describe(
        "Clone the study\nThe same tasks under another name, a draft of your own; with `n_tasks` a pilot of so many.",
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
                location, f"must be at most {facts.n_tasks:,}, the study's main tasks", got=given["n_tasks"]
            )
        changes = apply_setting(facts.design, read_settings(given["changes"]))
        made = clone_study(
            study,
            name=given["name"],
            title=given["title"] or given["name"],
            now=timezone.now(),
            actor=make_actor(request),
            owner=request.user,
            changes=changes,
            n_tasks=given["n_tasks"],
            rng=SystemRandom(),
        )
        return show_detail(request, made, status=201)

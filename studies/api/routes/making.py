"""How studies are made: of files that are uploaded, and of other studies, whole or as a pilot."""

from secrets import SystemRandom
from typing import Any

from django.conf import settings
from django.utils import timezone
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from studies.api.fetch import fetch_study, make_actor, refuse_tokens
from studies.api.parsing import TooLarge, read_length
from studies.api.routes.base import Route, describe, read_form
from studies.api.routes.studies import show_detail
from studies.api.shapes.making import CloneShape, LookShape, UploadShape
from studies.api.shapes.studies import StudyDetailShape
from studies.domain.cloning import apply_setting, clone_study, read_settings
from studies.domain.drafting.checking import Preview, UploadHasFaults, check_upload, make_draft
from studies.domain.importing.errors import ImportFailed, Place
from studies.domain.queries.facts import load_facts
from studies.domain.staging import Staged, delete_staged, keep_files, stage_upload
from studies.forms.new_study import NewStudyForm
from studies.rules import CHANGE_STUDY


class _Uploads(Route):
    """Files come as a form, and nothing of them is read where there is too much."""

    parser_classes = [MultiPartParser]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before who asks is known: the check against forgery reads the whole form.
        if read_length(request) > settings.ACCORDANCE_UPLOAD_MB << 20:
            most = f"At most {settings.ACCORDANCE_UPLOAD_MB:,} MB can be sent at once"
            raise TooLarge(f"{most}; larger studies are made by manage.py create_study.")
        super().initial(request, *args, **kwargs)

    def stage(self, request: Request) -> Staged:
        """Return what was sent, looked at; whoever calls this deletes it."""
        refuse_tokens(request)
        form = NewStudyForm(request.data, request.FILES)
        read_form(form)
        staged = stage_upload(request.user, choices=form.choices, now=timezone.now())
        return check_upload(keep_files(staged, **form.sent))


class UploadList(_Uploads):
    """A draft of files."""

    @describe(
        "Make a draft of files\nAll that is wrong with them is listed in `errors`, and then nothing is made.",
        body={"multipart/form-data": UploadShape},
        answer=StudyDetailShape,
        status=201,
    )
    def post(self, request: Request) -> Response:
        staged = self.stage(request)
        try:
            faults = Preview.from_json(staged.checked).faults
            if faults:
                raise UploadHasFaults(faults)
            draft = make_draft(staged, owner=request.user, actor=make_actor(request), now=timezone.now())
        finally:
            delete_staged(staged)
        return show_detail(request, draft.study, status=201)


class UploadLook(_Uploads):
    """Files looked at, and nothing made of them."""

    @describe(
        "Look at files before a draft is made of them\nThe first rows, how much there is, and all that is wrong.",
        body={"multipart/form-data": UploadShape},
        answer=LookShape,
    )
    def post(self, request: Request) -> Response:
        staged = self.stage(request)
        delete_staged(staged)
        return Response(LookShape(Preview.from_json(staged.checked)).data)


class Clone(Route):
    """A study made from another."""

    @describe(
        "Clone the study\nThe same tasks under another name, a draft of your own; with `n_tasks` a pilot of so many.",
        body=CloneShape,
        example={"name": "pilot", "title": "A pilot", "n_tasks": 2},
        answer=StudyDetailShape,
        status=201,
    )
    def post(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, CHANGE_STUDY)
        refuse_tokens(request)
        given, facts = self.read(CloneShape, request).validated_data, load_facts(study)
        if given["n_tasks"] > facts.n_tasks:
            place = Place("the pilot", field="n_tasks")
            raise ImportFailed(
                place, f"must be at most {facts.n_tasks:,}, the study's main tasks", got=given["n_tasks"]
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

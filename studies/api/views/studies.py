"""Studies: their list, creation, progress, design and state."""

from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from studies.api.fetch import fetch_study, list_studies, refuse_tokens, who_and_when
from studies.api.parsing import TooLarge
from studies.api.serializers.studies import (
    NewImportSerializer,
    NewStudySerializer,
    StudyDetailSerializer,
    StudySerializer,
)
from studies.api.serializers.uploads import MissingSerializer, RenameSerializer
from studies.api.views.base import CONFIRM_DEVIATION, ApiView, describe, list_of
from studies.collection.lifecycle import close_study, open_study
from studies.datasets.drafts.api_rows import draft_rows
from studies.datasets.importing.given import import_rows
from studies.datasets.names import choose_name
from studies.datasets.removal import archive_study, delete_draft, restore_study
from studies.design.completeness import list_missing
from studies.design.renaming import rename_study
from studies.design.study_facts import StudyFacts, load_facts
from studies.design.study_lists import StudySummary, summarize_studies
from studies.enums import StudyState, TaskKind
from studies.forms.confirming import read_confirmation
from studies.models import Study
from studies.rules import CHANGE_STUDY, MANAGE_STUDY

_DRAFT: Final = {
    "name": "my-study",
    "kind": "rating",
    "design": {"question": "How well does the caption describe the image?", "scale": ["Badly", "Well"]},
    "items": [{"image": "one", "system": "first", "candidate": "A dog.", "anchor": "A dog runs over grass."}],
}
_JUDGED: Final = {
    "name": "my-import",
    "rows": [
        {"image": "one", "system": "first", "candidate": "A dog.", "rater": "r1", "value": 1},
        {"image": "two", "system": "first", "candidate": "A cat on a mat.", "rater": "r1", "value": 4},
    ],
    "references": {"one": ["A dog runs over grass."], "two": ["A cat sits on a mat."]},
    "scale": "1-5",
}


@dataclass(frozen=True, slots=True)
class _Detail:
    study: Study
    facts: StudyFacts
    summary: StudySummary
    link: str | None
    preview: str


def show_detail(request: Request, study: Study, *, status: int = 200) -> Response:
    """Return the current state of a study."""
    link, preview = (
        reverse(name, args=[study.join_token], request=request) for name in ("annotation_ui:join", "preview:join")
    )
    detail = _Detail(
        study,
        load_facts(study),
        summarize_studies([study])[0],
        link=link if study.state == StudyState.OPEN else None,
        preview=preview,
    )
    return Response(StudyDetailSerializer(detail).data, status=status)


class StudyList(ApiView):
    """The studies that may be accessed."""

    @list_of(
        StudySerializer,
        "List studies\nThose that you own or are a member of; with a token, only its study.",
        operation="studies_list",
    )
    def get(self, request: Request) -> Response:
        return self.answer_page(list_studies(request).order_by("name"), StudySerializer, request)

    def check_length(self, request: Request, *, length: int) -> None:
        _check_length(request, length, "upload a larger study as files", to="api:uploads")

    @describe(
        "Create a draft\nFrom rows with captions, each with an `anchor`. Use `uploads/` for studies with images, or "
        "for larger data, as files. If somebody else's study has the name, a number is added: go on with the `name` of "
        "the answer.",
        body=NewStudySerializer,
        example=_DRAFT,
        answer=StudyDetailSerializer,
        status=201,
    )
    def post(self, request: Request) -> Response:
        refuse_tokens(request)
        given = self.read(NewStudySerializer, request).validated_data
        draft = draft_rows(
            choose_name(given["name"], title=given["title"], owner=request.user),
            title=given["title"] or given["name"],
            kind=TaskKind(given["kind"]) if given["kind"] else None,
            design=given["design"],
            rows=given["items"],
            references=given["references"],
            **who_and_when(request),
        )
        return show_detail(request, draft.study, status=201)


class ImportList(ApiView):
    """Judgments collected elsewhere."""

    def check_length(self, request: Request, *, length: int) -> None:
        _check_length(request, length, "upload more judgments as a file", to="api:upload_judgments")

    @describe(
        "Import judgments\nCreates a closed study, as `manage.py import_data table` does. Use `uploads/judgments/` "
        "for larger data. Without a `name`, the study is called `import`; a number is added to a name that is taken.",
        body=NewImportSerializer,
        example=_JUDGED,
        answer=StudyDetailSerializer,
        status=201,
    )
    def post(self, request: Request) -> Response:
        refuse_tokens(request)
        given = self.read(NewImportSerializer, request).validated_data
        name = choose_name(given.pop("name"), title="import", owner=request.user)
        import_rows(name, **given, **who_and_when(request))
        return show_detail(request, fetch_study(request, name), status=201)


def _check_length(request: Request, length: int, instead: str, *, to: str) -> None:
    most: int = settings.ACCORDANCE_API_STUDY_KB
    if length > most << 10:
        raise TooLarge(f"The body may have at most {most:,} KiB; {instead} to {reverse(to, request=request)}.")


class StudyDetail(ApiView):
    """One study."""

    @describe("Show a study", answer=StudyDetailSerializer)
    def get(self, request: Request, name: str) -> Response:
        return show_detail(request, fetch_study(request, name))

    @describe(
        "Change title or protocol\nOmitted fields are unchanged.",
        body=RenameSerializer,
        example={"title": "Which captions do people prefer?"},
        answer=StudyDetailSerializer,
        parameters=CONFIRM_DEVIATION,
    )
    def patch(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, CHANGE_STUDY)
        given = self.read(RenameSerializer, request).validated_data
        rename_study(study, **given, confirmation=read_confirmation(request.query_params), **who_and_when(request))
        return show_detail(request, study)

    @describe(
        "Delete a draft\nOnly a draft without judgments and preregistration. Its dataset is deleted too, unless "
        "another study uses it. Everything else can be archived.",
        answer=None,
        status=204,
    )
    def delete(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name, MANAGE_STUDY)
        delete_draft(study, **who_and_when(request))
        return Response(status=204)


class ArchiveStudy(ApiView):
    """Archives a study."""

    @describe("Archive the study\nLists on pages leave it out.", answer=StudyDetailSerializer)
    def post(self, request: Request, name: str) -> Response:
        return _change(archive_study, request, name, right=MANAGE_STUDY)


class RestoreStudy(ApiView):
    """Takes a study out of the archive."""

    @describe("Take the study out of the archive", answer=StudyDetailSerializer)
    def post(self, request: Request, name: str) -> Response:
        return _change(restore_study, request, name, right=MANAGE_STUDY)


class Missing(ApiView):
    """What a study needs before it can be opened."""

    @describe(
        "List what is missing before the study can be opened\nIn words; empty if it can be opened.",
        answer=MissingSerializer,
    )
    def get(self, request: Request, name: str) -> Response:
        study = fetch_study(request, name)
        return Response({"missing": list_missing(study, load_facts(study).design)})


class OpenStudy(ApiView):
    """Opens a study to raters."""

    @describe("Open the study to raters", answer=StudyDetailSerializer)
    def post(self, request: Request, name: str) -> Response:
        return _change(open_study, request, name)


class CloseStudy(ApiView):
    """Closes a study."""

    @describe("Close the study", answer=StudyDetailSerializer)
    def post(self, request: Request, name: str) -> Response:
        return _change(close_study, request, name)


def _change(change: Any, request: Request, name: str, *, right: str = CHANGE_STUDY) -> Response:
    study = fetch_study(request, name, right)
    change(study, **who_and_when(request))
    return show_detail(request, study)

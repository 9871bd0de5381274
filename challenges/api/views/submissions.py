"""Submissions: whole files, uploads in parts, their state and cancellation."""

from typing import Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from challenges.api.bodies import FileBody, JsonFileParser, PartParser, ZipFileParser, check_size
from challenges.api.fetch import fetch_own_submission, fetch_own_team, fetch_phase, fetch_submission
from challenges.api.serializers import (
    NewSubmissionSerializer,
    NewUploadSerializer,
    RawQuerySerializer,
    ReceivedSerializer,
    SubmissionDetailSerializer,
    SubmissionSerializer,
)
from challenges.api.views.base import ChallengeView
from challenges.enums import SubmissionState
from challenges.models import Submission
from challenges.submissions.cancelling import cancel_submission
from challenges.submissions.hiding import set_hidden
from challenges.submissions.receiving import receive_chunks
from challenges.submissions.scoring_jobs import SCORE_SUBMISSION
from challenges.submissions.uploads import BLOCK, append_part, begin_upload, digest_received, find_offset, finish_upload
from jobs.page_fragment import describe_job
from jobs.requests import find_job
from studies.api.views.base import describe, list_of

_OFFSET = OpenApiParameter(
    "Upload-Offset", int, OpenApiParameter.HEADER, required=True, description="Where the part begins in the file."
)
_QUERY = [
    OpenApiParameter("name", str, description="The name of the file, for a file that is the body."),
    OpenApiParameter("description", str, description="How it was made, for a file that is the body."),
]


class _Files(ChallengeView):
    """Receives files; one that is too large is not read."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before authentication, since the CSRF check reads a whole form.
        check_size(request)
        super().initial(request, *args, **kwargs)


class SubmissionList(_Files):
    """The submissions of the team in a phase."""

    parser_classes = [MultiPartParser, JsonFileParser, ZipFileParser]

    @list_of(
        SubmissionSerializer, "List the team's submissions in a phase\nNewest first.", operation="submissions_list"
    )
    def get(self, request: Request, slug: str, phase: str) -> Response:
        found = fetch_phase(request, slug, phase)
        team = fetch_own_team(request, found.challenge)
        rows = Submission.objects.filter(phase=found, team=team).select_related("phase", "team").order_by("-pk")
        return self.answer_page(rows.prefetch_related("scores"), SubmissionSerializer, request)

    @describe(
        "Submit a file\nAs a form, or as the body of the request. It is checked and scored in the background: poll "
        "the submission until it is final.",
        body={
            "multipart/form-data": NewSubmissionSerializer,
            "application/json": OpenApiTypes.BINARY,
            "application/zip": OpenApiTypes.BINARY,
        },
        answer=SubmissionDetailSerializer,
        status=202,
        parameters=_QUERY,
    )
    def post(self, request: Request, slug: str, phase: str) -> Response:
        found = fetch_phase(request, slug, phase)
        team = fetch_own_team(request, found.challenge)
        if isinstance(request.data, FileBody):
            query = RawQuerySerializer(data=request.query_params.dict())
            query.is_valid(raise_exception=True)
            given, file = query.validated_data, request.data
            name, n_bytes = given["name"], file.n_bytes
        else:
            given = self.read(NewSubmissionSerializer, request).validated_data
            file = given["file"]
            name, n_bytes = file.name, file.size
        submission = receive_chunks(
            found,
            team=team,
            user=request.user,
            name=name,
            n_bytes=n_bytes,
            chunks=file.chunks(),
            description=given["description"],
            now=timezone.now(),
        )
        return _show(request, submission, status=202)


class UploadList(ChallengeView):
    """Uploads in parts."""

    @describe(
        "Begin an upload in parts\nThen send the parts with PATCH, and finish the upload. It can be continued for a "
        "day, and does not count towards the limits before it is finished.",
        body=NewUploadSerializer,
        example={"name": "captions_test_mine_results.json", "n_bytes": 4096},
        answer=SubmissionDetailSerializer,
        status=201,
    )
    def post(self, request: Request, slug: str, phase: str) -> Response:
        found = fetch_phase(request, slug, phase)
        team = fetch_own_team(request, found.challenge)
        given = self.read(NewUploadSerializer, request).validated_data
        submission = begin_upload(found, team=team, user=request.user, now=timezone.now(), **given)
        return _show(request, submission, status=201)


class SubmissionDetail(_Files):
    """One submission."""

    parser_classes = [PartParser]

    @describe(
        "Show a submission\nIts state, place in line and progress, and its scores as they come.",
        answer=SubmissionDetailSerializer,
    )
    def get(self, request: Request, slug: str, token: str) -> Response:
        return _show(request, fetch_submission(request, slug, token))

    @describe(
        "Send a part of an upload\nIt must begin where the last one ended: at `n_received`. After a cut, show the "
        "submission and go on from there.",
        body={"application/octet-stream": OpenApiTypes.BINARY},
        answer=SubmissionDetailSerializer,
        parameters=[_OFFSET],
    )
    def patch(self, request: Request, slug: str, token: str) -> Response:
        submission, offset = fetch_own_submission(request, slug, token), _read_offset(request)
        if not isinstance(request.data, FileBody) or not request.data.n_bytes:
            raise ValidationError("The body must be a part of the file.")
        # What arrives before a cut is kept.
        for chunk in request.data.chunks():
            offset = append_part(submission, offset=offset, content=chunk)
        return _show(request, submission)


class ReceivedBlocks(ChallengeView):
    """The digests of what has arrived of an upload."""

    @describe(
        "List the digests of what has arrived of an upload\nThey tell whether a file is the one that an unfinished "
        "upload began with.",
        answer=ReceivedSerializer,
    )
    def get(self, request: Request, slug: str, token: str) -> Response:
        n_received, digests = digest_received(fetch_own_submission(request, slug, token))
        shown = {"n_received": n_received, "block": BLOCK, "sha256": digests}
        return Response(ReceivedSerializer(shown).data)


class FinishedUpload(ChallengeView):
    """The end of an upload."""

    @describe(
        "Finish an upload\nThe file must be complete. It counts as a submission of today, and is checked and scored.",
        answer=SubmissionDetailSerializer,
        status=202,
    )
    def post(self, request: Request, slug: str, token: str) -> Response:
        finished = finish_upload(fetch_own_submission(request, slug, token), now=timezone.now())
        return _show(request, finished, status=202)


class CancelledSubmission(ChallengeView):
    """The cancellation of a submission."""

    @describe(
        "Cancel a submission\nUntil its first score is known; it does not count then.",
        answer=SubmissionDetailSerializer,
    )
    def post(self, request: Request, slug: str, token: str) -> Response:
        submission = fetch_own_submission(request, slug, token)
        cancel_submission(submission, reason=f"Cancelled by {request.user.get_username()}.", now=timezone.now())
        submission.refresh_from_db()
        return _show(request, submission)


class HiddenSubmission(ChallengeView):
    """The absence of a submission from the leaderboard."""

    @describe(
        "Leave a submission out of the leaderboard\nUntil the leaderboard is final; it still counts towards the "
        "limits, and another submission of the team becomes its entry.",
        answer=SubmissionDetailSerializer,
    )
    def post(self, request: Request, slug: str, token: str) -> Response:
        submission = fetch_own_submission(request, slug, token)
        set_hidden(submission, is_hidden=True, now=timezone.now())
        return _show(request, submission)


class ShownSubmission(ChallengeView):
    """The return of a submission to the leaderboard."""

    @describe("Bring a submission back to the leaderboard", answer=SubmissionDetailSerializer)
    def post(self, request: Request, slug: str, token: str) -> Response:
        submission = fetch_own_submission(request, slug, token)
        set_hidden(submission, is_hidden=False, now=timezone.now())
        return _show(request, submission)


def _read_offset(request: Request) -> int:
    text = request.headers.get("Upload-Offset", "")
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ValidationError("The header Upload-Offset must be a whole number: where the part begins in the file.")
    return int(text)


def _show(request: Request, submission: Submission, *, status: int = 200) -> Response:
    job = find_job(SCORE_SUBMISSION, key=str(submission.pk), under_way=True)
    context: dict[str, Any] = {}
    if job:
        described = describe_job(job, user=request.user, again="", now=timezone.now())
        context["progress"] = {
            "n_ahead": described["n_ahead"],
            "doing": job.message,
            "n_done": job.n_done,
            "n_total": job.n_total,
            "seconds_left": described["seconds_left"],
        }
    headers = {}
    if submission.state == SubmissionState.RECEIVING:
        context["n_received"] = find_offset(submission)
        headers["Upload-Offset"] = str(context["n_received"])
    if status != 200:
        arguments = [submission.phase.challenge.slug, submission.token]
        headers["Location"] = reverse("challenges-api:submission", args=arguments, request=request)
    return Response(SubmissionDetailSerializer(submission, context=context).data, status=status, headers=headers)

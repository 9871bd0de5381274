"""Baselines that hosts add to a phase."""

from typing import Any

from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from challenges.api.bodies import check_size
from challenges.api.fetch import fetch_hosted_phase, fetch_hosted_submission
from challenges.api.hosting_serializers import BaselineSerializer, NewBaselineSerializer, ReasonSerializer
from challenges.api.serializers import SubmissionSerializer
from challenges.api.views.base import HostView
from challenges.baselines.adding import NewBaseline, add_baseline, list_baselines
from challenges.baselines.removing import remove_baseline
from challenges.enums import BaselineKind
from studies.api.fetch import who_and_when
from studies.api.views.base import describe, list_of


class Baselines(HostView):
    """The baselines of a phase."""

    parser_classes = [MultiPartParser, JSONParser]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before authentication, since the CSRF check reads a whole form.
        check_size(request)
        super().initial(request, *args, **kwargs)

    @list_of(
        BaselineSerializer,
        "List the baselines of a phase to the hosts\nIn the order in which they were added, without removed ones.",
        operation="baselines_list",
    )
    def get(self, request: Request, slug: str, phase: str) -> Response:
        rows = list_baselines(fetch_hosted_phase(request, slug, phase)).prefetch_related("submission__scores")
        return self.answer_page(rows, BaselineSerializer, request)

    @describe(
        "Add a baseline\nA form with a file of training captions (`common-caption`) or of results (`file`), or for "
        "`human` JSON as well. It is checked and scored in the background like a submission, and has no rank.",
        body={"multipart/form-data": NewBaselineSerializer, "application/json": NewBaselineSerializer},
        example={"kind": "human", "name": "Human", "seed": 1},
        answer=BaselineSerializer,
        status=202,
    )
    def post(self, request: Request, slug: str, phase: str) -> Response:
        found = fetch_hosted_phase(request, slug, phase)
        given = self.read(NewBaselineSerializer, request).validated_data
        new = NewBaseline.make(BaselineKind(given.pop("kind")), **given)
        made = add_baseline(found, new, **who_and_when(request))
        return Response(BaselineSerializer(made).data, status=202)


class RemovedBaseline(HostView):
    """The removal of a baseline."""

    @describe(
        "Remove a baseline\nIt is removed from the leaderboard permanently, and its captions are deleted.",
        body=ReasonSerializer,
        answer=SubmissionSerializer,
    )
    def post(self, request: Request, slug: str, token: str) -> Response:
        submission = fetch_hosted_submission(request, slug, token)
        given = self.read(ReasonSerializer, request).validated_data
        remove_baseline(submission, **given, **who_and_when(request))
        return Response(SubmissionSerializer(submission).data)

"""What hosts see of their challenge, and what they do with it; each action is recorded with its reason."""

from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from challenges.api.fetch import fetch_hosted_challenge, fetch_hosted_phase, fetch_hosted_submission, fetch_hosted_team
from challenges.api.hosting_serializers import (
    ChallengeEventSerializer,
    CopySerializer,
    DeadlineSerializer,
    HostedChallengeSerializer,
    HostedSubmissionSerializer,
    HostedTeamSerializer,
    LimitSerializer,
    ReasonSerializer,
)
from challenges.api.serializers import SubmissionSerializer
from challenges.api.views.base import HostView, show_hosted
from challenges.hosting.actions import (
    close_challenge,
    disqualify,
    extend_deadline,
    make_final,
    open_challenge,
    raise_limit,
    reinstate,
    rescore,
)
from challenges.hosting.creation import clone_challenge
from challenges.hosting.overview import list_submissions, list_teams
from challenges.models import Submission
from studies.api.fetch import who_and_when
from studies.api.views.base import describe, list_of

_REASON = {"reason": "The server was down on the last day."}


class HostedChallenge(HostView):
    """A challenge as its hosts see it."""

    @describe(
        "Show a challenge to its hosts\nWith what prevents its opening, and the numbers of submissions.",
        answer=HostedChallengeSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        return show_hosted(fetch_hosted_challenge(request, slug))


class HostedTeams(HostView):
    """The teams of a challenge."""

    @list_of(HostedTeamSerializer, "List the teams of a challenge to its hosts", operation="hosted_teams_list")
    def get(self, request: Request, slug: str) -> Response:
        return self.answer_page(list_teams(fetch_hosted_challenge(request, slug)), HostedTeamSerializer, request)


class HostedSubmissions(HostView):
    """The submissions of all teams."""

    @list_of(
        HostedSubmissionSerializer,
        "List the submissions of all teams to the hosts\nNewest first.",
        operation="hosted_submissions_list",
    )
    def get(self, request: Request, slug: str) -> Response:
        rows = list_submissions(fetch_hosted_challenge(request, slug)).select_related("made_by")
        return self.answer_page(rows, HostedSubmissionSerializer, request)


class HostedEvents(HostView):
    """What the hosts did."""

    @list_of(
        ChallengeEventSerializer,
        "List the actions of the hosts\nNewest first, with who did it and by which interface.",
        operation="hosted_events_list",
    )
    def get(self, request: Request, slug: str) -> Response:
        events = fetch_hosted_challenge(request, slug).events.all()
        return self.answer_page(events, ChallengeEventSerializer, request)


class OpenedChallenge(HostView):
    """The opening of a challenge."""

    @describe(
        "Open a challenge\nA draft, or a closed one again; 409 with the problems that prevent it.",
        answer=HostedChallengeSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        challenge = fetch_hosted_challenge(request, slug)
        open_challenge(challenge, **who_and_when(request))
        return show_hosted(challenge)


class ClosedChallenge(HostView):
    """The closing of a challenge."""

    @describe(
        "Close a challenge\nNo phase accepts submissions any more. It can be opened again.",
        body=ReasonSerializer,
        example=_REASON,
        answer=HostedChallengeSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        challenge = fetch_hosted_challenge(request, slug)
        close_challenge(challenge, **self.read(ReasonSerializer, request).validated_data, **who_and_when(request))
        return show_hosted(challenge)


class CopiedChallenge(HostView):
    """A copy of a challenge."""

    @describe(
        "Copy a challenge\nThe copy is a draft that you own, with the same phases, and without teams and submissions.",
        body=CopySerializer,
        example={"challenge": "captions-again"},
        answer=HostedChallengeSerializer,
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        challenge = fetch_hosted_challenge(request, slug)
        name = self.read(CopySerializer, request).validated_data["challenge"]
        copy = clone_challenge(challenge, slug=name, owner=request.user, **who_and_when(request))
        return show_hosted(copy, status=201, request=request)


class RaisedLimit(HostView):
    """Higher limits of a team."""

    @describe(
        "Raise the limits of a team\nThey replace those of the phase, for this team only.",
        body=LimitSerializer,
        example={"phase": "test", "per_day": 10, "in_all": 200, **_REASON},
        answer=HostedTeamSerializer,
    )
    def post(self, request: Request, slug: str, team: int) -> Response:
        challenge = fetch_hosted_challenge(request, slug)
        found = fetch_hosted_team(challenge, team)
        given = self.read(LimitSerializer, request).validated_data
        phase = challenge.phases.filter(slug=given.pop("phase")).first()
        if phase is None:
            raise ValidationError({"phase": "There is no such phase."})
        raise_limit(phase, team=found, **given, **who_and_when(request))
        return Response(HostedTeamSerializer(list_teams(challenge).get(pk=found.pk)).data)


class ExtendedPhase(HostView):
    """A later deadline of a phase."""

    @describe(
        "Extend the deadline of a phase\nIt cannot be made earlier.",
        body=DeadlineSerializer,
        example={"closes_at": "2030-01-31T12:00:00Z", **_REASON},
        answer=HostedChallengeSerializer,
    )
    def post(self, request: Request, slug: str, phase: str) -> Response:
        found = fetch_hosted_phase(request, slug, phase)
        extend_deadline(found, **self.read(DeadlineSerializer, request).validated_data, **who_and_when(request))
        return show_hosted(found.challenge)


class RescoredPhase(HostView):
    """The scoring of a phase again."""

    @describe(
        "Score a phase again\nAll its scored submissions are queued, and keep their scores until then.",
        body=ReasonSerializer,
        example=_REASON,
        answer=HostedChallengeSerializer,
        status=202,
    )
    def post(self, request: Request, slug: str, phase: str) -> Response:
        found = fetch_hosted_phase(request, slug, phase)
        rescore(found, **self.read(ReasonSerializer, request).validated_data, **who_and_when(request))
        return show_hosted(found.challenge, status=202)


class FinalPhase(HostView):
    """The final leaderboard of a phase."""

    @describe(
        "Make the leaderboard of a phase final\nIt is stored as it is now, with a digest, and never changes. The "
        "phase must be over.",
        answer=HostedChallengeSerializer,
    )
    def post(self, request: Request, slug: str, phase: str) -> Response:
        found = fetch_hosted_phase(request, slug, phase)
        make_final(found, **who_and_when(request))
        return show_hosted(found.challenge)


class DisqualifiedSubmission(HostView):
    """The disqualification of a submission."""

    @describe(
        "Disqualify a submission\nIt is removed from the leaderboard, but still counts towards the limits.",
        body=ReasonSerializer,
        example={"reason": "The captions are those of another team."},
        answer=SubmissionSerializer,
    )
    def post(self, request: Request, slug: str, token: str) -> Response:
        submission = fetch_hosted_submission(request, slug, token)
        disqualify(submission, **self.read(ReasonSerializer, request).validated_data, **who_and_when(request))
        return _show(submission)


class ReinstatedSubmission(HostView):
    """The return of a disqualified submission."""

    @describe(
        "Reinstate a submission\nIt is on the leaderboard again.",
        body=ReasonSerializer,
        example={"reason": "The team has shown how it was made."},
        answer=SubmissionSerializer,
    )
    def post(self, request: Request, slug: str, token: str) -> Response:
        submission = fetch_hosted_submission(request, slug, token)
        reinstate(submission, **self.read(ReasonSerializer, request).validated_data, **who_and_when(request))
        return _show(submission)


def _show(submission: Submission) -> Response:
    return Response(SubmissionSerializer(submission).data)

"""URLs of challenges in the first version of the API."""

from django.urls import path

from challenges.api.views import baselines, challenges, creation, hosting, submissions

app_name = "challenges-api"
_CHALLENGE = "<slug:slug>/"
_PHASE = f"{_CHALLENGE}phases/<slug:phase>/"
_SUBMISSION = f"{_CHALLENGE}submissions/<str:token>/"
urlpatterns = [
    path("", creation.Challenges.as_view(), name="challenges"),
    path(_CHALLENGE, challenges.ChallengeDetail.as_view(), name="challenge"),
    path(_PHASE, challenges.PhaseDetail.as_view(), name="phase"),
    path(f"{_PHASE}leaderboard/", challenges.Leaderboard.as_view(), name="leaderboard"),
    path(f"{_PHASE}leaderboard.<str:file_format>", challenges.LeaderboardFile.as_view(), name="leaderboard_file"),
    path(f"{_PHASE}teams/<int:team>/history/", challenges.TeamHistory.as_view(), name="history"),
    path(f"{_PHASE}submissions/", submissions.SubmissionList.as_view(), name="submissions"),
    path(f"{_PHASE}uploads/", submissions.UploadList.as_view(), name="uploads"),
    path(_SUBMISSION, submissions.SubmissionDetail.as_view(), name="submission"),
    path(f"{_SUBMISSION}received/", submissions.ReceivedBlocks.as_view(), name="received"),
    path(f"{_SUBMISSION}finish/", submissions.FinishedUpload.as_view(), name="finish"),
    path(f"{_SUBMISSION}cancel/", submissions.CancelledSubmission.as_view(), name="cancel"),
    path(f"{_SUBMISSION}hide/", submissions.HiddenSubmission.as_view(), name="hide"),
    path(f"{_SUBMISSION}show-again/", submissions.ShownSubmission.as_view(), name="show_again"),
    path(f"{_CHALLENGE}host/", hosting.HostedChallenge.as_view(), name="host"),
    path(f"{_CHALLENGE}host/teams/", hosting.HostedTeams.as_view(), name="teams"),
    path(f"{_CHALLENGE}host/submissions/", hosting.HostedSubmissions.as_view(), name="all_submissions"),
    path(f"{_CHALLENGE}host/events/", hosting.HostedEvents.as_view(), name="events"),
    path(f"{_CHALLENGE}host/open/", hosting.OpenedChallenge.as_view(), name="open"),
    path(f"{_CHALLENGE}host/close/", hosting.ClosedChallenge.as_view(), name="close"),
    path(f"{_CHALLENGE}host/copy/", hosting.CopiedChallenge.as_view(), name="copy"),
    path(f"{_CHALLENGE}host/teams/<int:team>/limit/", hosting.RaisedLimit.as_view(), name="raise_limit"),
    path(f"{_PHASE}extend/", hosting.ExtendedPhase.as_view(), name="extend"),
    path(f"{_PHASE}score-again/", hosting.RescoredPhase.as_view(), name="score_again"),
    path(f"{_PHASE}make-final/", hosting.FinalPhase.as_view(), name="make_final"),
    path(f"{_PHASE}baselines/", baselines.Baselines.as_view(), name="baselines"),
    path(f"{_SUBMISSION}remove/", baselines.RemovedBaseline.as_view(), name="baseline_remove"),
    path(f"{_SUBMISSION}disqualify/", hosting.DisqualifiedSubmission.as_view(), name="disqualify"),
    path(f"{_SUBMISSION}reinstate/", hosting.ReinstatedSubmission.as_view(), name="reinstate"),
]

"""URLs of challenges in the first version of the API."""

from django.urls import path

from challenges.api.views import challenges, submissions

app_name = "challenges-api"
_CHALLENGE = "<slug:slug>/"
_PHASE = f"{_CHALLENGE}phases/<slug:phase>/"
_SUBMISSION = f"{_CHALLENGE}submissions/<str:token>/"
urlpatterns = [
    path("", challenges.ChallengeList.as_view(), name="challenges"),
    path(_CHALLENGE, challenges.ChallengeDetail.as_view(), name="challenge"),
    path(_PHASE, challenges.PhaseDetail.as_view(), name="phase"),
    path(f"{_PHASE}leaderboard/", challenges.Leaderboard.as_view(), name="leaderboard"),
    path(f"{_PHASE}leaderboard.<str:file_format>", challenges.LeaderboardFile.as_view(), name="leaderboard_file"),
    path(f"{_PHASE}submissions/", submissions.SubmissionList.as_view(), name="submissions"),
    path(f"{_PHASE}uploads/", submissions.UploadList.as_view(), name="uploads"),
    path(_SUBMISSION, submissions.SubmissionDetail.as_view(), name="submission"),
    path(f"{_SUBMISSION}finish/", submissions.FinishedUpload.as_view(), name="finish"),
    path(f"{_SUBMISSION}cancel/", submissions.CancelledSubmission.as_view(), name="cancel"),
    path(f"{_SUBMISSION}hide/", submissions.HiddenSubmission.as_view(), name="hide"),
    path(f"{_SUBMISSION}show-again/", submissions.ShownSubmission.as_view(), name="show_again"),
]

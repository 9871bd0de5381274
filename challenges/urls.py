"""URLs of the pages of challenges."""

from django.urls import path

from challenges.views.board import download_leaderboard, show_leaderboard
from challenges.views.challenge import download_image_ids, show_challenge, show_challenges
from challenges.views.submissions import cancel, show_phase, show_submission, show_submission_progress
from challenges.views.taking_part import accept_invitation, invite, join, show_team

app_name = "challenges"
_CHALLENGE = "challenges/<slug:slug>/"
_PHASE = f"{_CHALLENGE}phases/<slug:phase>/"
_SUBMISSION = f"{_CHALLENGE}submissions/<str:token>/"
urlpatterns = [
    path("challenges/", show_challenges, name="list"),
    # Not below `challenges/`, where it could be the name of a challenge.
    path("team-invitations/<str:token>/", accept_invitation, name="invitation"),
    path(_CHALLENGE, show_challenge, name="challenge"),
    path(f"{_CHALLENGE}join/", join, name="join"),
    path(f"{_CHALLENGE}team/", show_team, name="team"),
    path(f"{_CHALLENGE}team/invite/", invite, name="invite"),
    path(_PHASE, show_phase, name="phase"),
    path(f"{_PHASE}image-ids.json", download_image_ids, name="image_ids"),
    path(f"{_PHASE}leaderboard/", show_leaderboard, name="board"),
    path(f"{_PHASE}leaderboard.<str:file_format>", download_leaderboard, name="board_file"),
    path(_SUBMISSION, show_submission, name="submission"),
    path(f"{_SUBMISSION}progress/", show_submission_progress, name="submission_progress"),
    path(f"{_SUBMISSION}cancel/", cancel, name="cancel"),
]

"""URLs of the pages of challenges."""

from django.urls import path

from challenges.views import webhooks
from challenges.views.badge import draw_badge
from challenges.views.board import download_leaderboard, draw_diversity, show_leaderboard
from challenges.views.challenge import download_image_ids, show_challenge, show_challenges
from challenges.views.history import draw_history, show_history
from challenges.views.hosting import actions, baselines, human
from challenges.views.hosting.creation import new_challenge
from challenges.views.hosting.overview import show_host_page
from challenges.views.hosting.tokens import revoke_token as revoke_host_token
from challenges.views.hosting.tokens import show_host_tokens
from challenges.views.submissions import cancel, hide, show_again, show_phase, show_submission, show_submission_progress
from challenges.views.taking_part import accept_invitation, invite, join, show_team, switch_mail
from challenges.views.tokens import make_token, revoke_token

app_name = "challenges"
# Below `challenges/` are names of challenges only, so that none of them is the address of something else.
_CHALLENGE = "challenges/<slug:slug>/"
_PHASE = f"{_CHALLENGE}phases/<slug:phase>/"
_SUBMISSION = f"{_CHALLENGE}submissions/<str:token>/"
urlpatterns = [
    path("challenges/", show_challenges, name="list"),
    path("new-challenge/", new_challenge, name="new"),
    path("hosting-tokens/", show_host_tokens, name="host_tokens"),
    path("hosting-tokens/<int:pk>/revoke/", revoke_host_token, name="host_token_revoke"),
    path("team-invitations/<str:token>/", accept_invitation, name="invitation"),
    path(_CHALLENGE, show_challenge, name="challenge"),
    path(f"{_CHALLENGE}join/", join, name="join"),
    path(f"{_CHALLENGE}team/", show_team, name="team"),
    path(f"{_CHALLENGE}team/invite/", invite, name="invite"),
    path(f"{_CHALLENGE}team/mail/", switch_mail, name="team_mail"),
    path(f"{_CHALLENGE}team/webhook/", webhooks.save, name="webhook_save"),
    path(f"{_CHALLENGE}team/webhook/remove/", webhooks.remove, name="webhook_remove"),
    path(f"{_CHALLENGE}team/tokens/", make_token, name="token_make"),
    path(f"{_CHALLENGE}team/tokens/<int:pk>/revoke/", revoke_token, name="token_revoke"),
    path(_PHASE, show_phase, name="phase"),
    path(f"{_PHASE}image-ids.json", download_image_ids, name="image_ids"),
    path(f"{_PHASE}leaderboard/", show_leaderboard, name="board"),
    path(f"{_PHASE}leaderboard.<str:file_format>", download_leaderboard, name="board_file"),
    path(f"{_PHASE}accuracy-diversity.svg", draw_diversity, name="diversity"),
    path(f"{_PHASE}teams/<int:team>/history/", show_history, name="history"),
    path(f"{_PHASE}teams/<int:team>/history.svg", draw_history, name="history_figure"),
    path(f"{_PHASE}teams/<int:team>/badge.svg", draw_badge, name="badge"),
    path(_SUBMISSION, show_submission, name="submission"),
    path(f"{_SUBMISSION}progress/", show_submission_progress, name="submission_progress"),
    path(f"{_SUBMISSION}cancel/", cancel, name="cancel"),
    path(f"{_SUBMISSION}hide/", hide, name="hide"),
    path(f"{_SUBMISSION}show-again/", show_again, name="show_again"),
    path(f"{_SUBMISSION}disqualify/", actions.disqualify_submission, name="disqualify"),
    path(f"{_SUBMISSION}reinstate/", actions.reinstate_submission, name="reinstate"),
    path(f"{_CHALLENGE}host/", show_host_page, name="host"),
    path(f"{_CHALLENGE}host/open/", actions.open_for_teams, name="open"),
    path(f"{_CHALLENGE}host/close/", actions.close, name="close"),
    path(f"{_CHALLENGE}host/copy/", actions.copy, name="copy"),
    path(f"{_CHALLENGE}host/teams/<int:pk>/limit/", actions.raise_team_limit, name="raise_limit"),
    path(f"{_PHASE}extend/", actions.extend, name="extend"),
    path(f"{_PHASE}score-again/", actions.score_again, name="score_again"),
    path(f"{_PHASE}make-final/", actions.make_final, name="make_final"),
    path(f"{_PHASE}baselines/", baselines.show_baselines, name="baselines"),
    path(f"{_PHASE}baselines/new/", baselines.new_baseline, name="baseline_new"),
    path(f"{_SUBMISSION}remove/", baselines.remove, name="baseline_remove"),
    path(f"{_PHASE}human/", human.show_human_studies, name="human"),
    path(f"{_PHASE}human/new/", human.new_human_study, name="human_new"),
    path(f"{_PHASE}human/correlate/", human.correlate, name="human_correlate"),
    path(f"{_PHASE}human/<int:pk>/show/", human.show_results, name="human_show"),
]

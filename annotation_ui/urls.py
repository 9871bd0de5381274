"""The URLs of raters' pages, which contain only the token of the study; the rater is in a signed cookie."""

from django.urls import path

from annotation_ui.views.ending import begin, show_break, show_pause, show_thanks
from annotation_ui.views.images import show_image
from annotation_ui.views.joining import decline, join, show_instructions
from annotation_ui.views.learning import show_feedback, show_qualification
from annotation_ui.views.leaving import leave, show_leaving, withdraw_from_study
from annotation_ui.views.resuming import resume
from annotation_ui.views.tasks import correct, return_to_others, show_last, show_task, submit

app_name = "annotation_ui"
urlpatterns = [
    path("<str:join_token>/", join, name="join"),
    path("<str:join_token>/decline/", decline, name="decline"),
    path("<str:join_token>/resume/<str:signed>/", resume, name="resume"),
    path("<str:join_token>/instructions/", show_instructions, name="instructions"),
    path("<str:join_token>/task/", show_task, name="task"),
    path("<str:join_token>/task/<int:pk>/", submit, name="submit"),
    path("<str:join_token>/task/<int:pk>/return/", return_to_others, name="return"),
    path("<str:join_token>/task/<int:pk>/feedback/", show_feedback, name="feedback"),
    path("<str:join_token>/qualification/", show_qualification, name="qualification"),
    path("<str:join_token>/last/", show_last, name="last"),
    path("<str:join_token>/last/<int:pk>/", correct, name="correct"),
    path("<str:join_token>/images/<str:name>/", show_image, name="image"),
    path("<str:join_token>/pause/", show_pause, name="pause"),
    path("<str:join_token>/break/", show_break, name="break"),
    path("<str:join_token>/begin/", begin, name="begin"),
    path("<str:join_token>/leave/", show_leaving, name="leave"),
    path("<str:join_token>/leave/now/", leave, name="leave-now"),
    path("<str:join_token>/leave/withdraw/", withdraw_from_study, name="withdraw"),
    path("<str:join_token>/thanks/", show_thanks, name="thanks"),
]

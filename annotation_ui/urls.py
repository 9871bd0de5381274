"""Addresses of raters' pages. The study link is all that they tell; who the rater is stands in a signed cookie."""

from django.urls import path

from annotation_ui.views.ending import show_pause, show_thanks
from annotation_ui.views.images import show_image
from annotation_ui.views.joining import join, show_instructions
from annotation_ui.views.tasks import return_to_others, show_task, submit

app_name = "annotation_ui"
urlpatterns = [
    path("<str:join_token>/", join, name="join"),
    path("<str:join_token>/instructions/", show_instructions, name="instructions"),
    path("<str:join_token>/task/", show_task, name="task"),
    path("<str:join_token>/task/<int:pk>/", submit, name="submit"),
    path("<str:join_token>/task/<int:pk>/return/", return_to_others, name="return"),
    path("<str:join_token>/images/<int:pk>/", show_image, name="image"),
    path("<str:join_token>/pause/", show_pause, name="pause"),
    path("<str:join_token>/thanks/", show_thanks, name="thanks"),
]

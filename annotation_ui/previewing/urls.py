"""Addresses of the preview. They have the names of raters' pages, in a namespace of their own.

Within it `{% url 'annotation_ui:task' ... %}` leads to the preview's page: the templates are those of raters.
"""

from django.urls import path

from annotation_ui.previewing.views import (
    end_preview,
    show_declined,
    show_image,
    show_instructions,
    show_join,
    show_pause,
    show_task,
    show_thanks,
    try_answer,
)

app_name = "annotation_ui"
urlpatterns = [
    path("<str:join_token>/", show_join, name="join"),
    path("<str:join_token>/decline/", show_declined, name="decline"),
    path("<str:join_token>/instructions/", show_instructions, name="instructions"),
    path("<str:join_token>/task/", show_task, name="task"),
    path("<str:join_token>/task/<int:pk>/", try_answer, name="submit"),
    path("<str:join_token>/task/<int:pk>/return/", show_pause, name="return"),
    path("<str:join_token>/images/<int:pk>/", show_image, name="image"),
    path("<str:join_token>/thanks/", show_thanks, name="thanks"),
    path("<str:join_token>/leave/", end_preview, name="leave"),
]

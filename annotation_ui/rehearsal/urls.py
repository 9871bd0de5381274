"""Addresses of the rehearsal of a study; beside the researchers' pages, since raters' pages play in it."""

from django.urls import path

from annotation_ui.rehearsal.pages import show_progress, show_rehearsal, try_analysis

app_name = "rehearsal"
urlpatterns = [
    path("", show_rehearsal, name="show"),
    path("progress/", show_progress, name="progress"),
    path("<int:pk>/study/", try_analysis, name="try"),
]

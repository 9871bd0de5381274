"""Addresses of the simulation of a study; beside the researchers' pages, since raters' pages play in it."""

from django.urls import path

from annotation_ui.simulation.pages import show_progress, show_simulation, try_analysis

app_name = "simulation"
urlpatterns = [
    path("", show_simulation, name="show"),
    path("progress/", show_progress, name="progress"),
    path("<int:pk>/study/", try_analysis, name="try"),
]

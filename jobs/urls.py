"""Addresses of jobs: the part of a page that shows one, and what can be done with it."""

from django.urls import path

from jobs.views import cancel, show_job

app_name = "jobs"
urlpatterns = [
    path("<str:token>/", show_job, name="job"),
    path("<str:token>/cancel/", cancel, name="cancel"),
]

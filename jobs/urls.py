"""URLs of jobs: the page fragment and its actions."""

from django.urls import path

from jobs.views import cancel, show_job

app_name = "jobs"
urlpatterns = [
    path("<str:token>/", show_job, name="job"),
    path("<str:token>/cancel/", cancel, name="cancel"),
]

"""URLs of the pages on which researchers bring raters into a study."""

from django.urls import path

from annotation_ui.recruiting.panel_views import download_batch, download_question, renew_keys, upload_results
from annotation_ui.recruiting.views import send_personal_links, show_link_to_resume, show_raters

app_name = "recruiting"
urlpatterns = [
    path("studies/<slug:name>/raters/", show_raters, name="raters"),
    path("studies/<slug:name>/raters/links/", send_personal_links, name="links"),
    path("studies/<slug:name>/raters/resume/", show_link_to_resume, name="resume"),
    path("studies/<slug:name>/raters/question/", download_question, name="question"),
    path("studies/<slug:name>/raters/batch/", download_batch, name="batch"),
    path("studies/<slug:name>/raters/results/", upload_results, name="results"),
    path("studies/<slug:name>/raters/keys/", renew_keys, name="keys"),
]

"""URLs of the report pages of a study."""

from django.urls import path

from studies.views.comments import comment_on_report
from studies.views.publishing.reports import (
    change_title,
    download_bundle,
    download_report,
    freeze,
    share,
    show_report,
    show_reports,
    unshare,
)

urlpatterns = [
    path("", show_reports, name="reports"),
    path("freeze/", freeze, name="report_freeze"),
    path("<int:number>/", show_report, name="report"),
    path("<int:number>/bundle.zip", download_bundle, name="report_bundle"),
    path("<int:number>/comment/", comment_on_report, name="report_comment"),
    path("<int:number>/title/", change_title, name="report_title"),
    path("<int:number>/share/", share, name="report_share"),
    path("<int:number>/links/<int:pk>/revoke/", unshare, name="report_unshare"),
    path("<int:number>/<slug:part>.<str:file_format>", download_report, name="report_part"),
]

"""The operator's admin: every model in Django's own admin, one file a subject."""

from django.contrib import admin

from studies.admin import (
    access,
    conduct,
    dataset,
    judgment,
    panel,
    preregistration,
    rater,
    report,
    request,
    run,
    simulation,
    study,
    task,
    user,
)

__all__ = [
    "access",
    "conduct",
    "dataset",
    "judgment",
    "panel",
    "preregistration",
    "rater",
    "report",
    "request",
    "run",
    "simulation",
    "study",
    "task",
    "user",
]

admin.site.site_title = "Accordance"
admin.site.site_header = "Accordance administration"
admin.site.index_title = "Data"
admin.site.index_template = "studies/admin_index.html"

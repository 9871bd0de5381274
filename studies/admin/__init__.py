"""Every model in Django's admin, for the operator."""

from django.contrib import admin

from studies.admin import dataset, rater, study, tables, user

__all__ = ["dataset", "rater", "study", "tables", "user"]

admin.site.site_title = "Accordance"
admin.site.site_header = "Accordance administration"
admin.site.index_title = "Data"
admin.site.index_template = "studies/admin_index.html"

"""Addresses of raters' pages."""

app_name = "annotation_ui"
urlpatterns: list = []

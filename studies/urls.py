"""Addresses of researchers' pages."""

app_name = "studies"
urlpatterns: list = []

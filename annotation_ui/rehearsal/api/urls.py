"""Addresses of the rehearsals of a study, among those of the API."""

from django.urls import path

from annotation_ui.rehearsal.api.routes import RehearsalDetail, RehearsalList, RehearsalStudy

urlpatterns = [
    path("", RehearsalList.as_view(), name="rehearsals"),
    path("<int:pk>/", RehearsalDetail.as_view(), name="rehearsal"),
    path("<int:pk>/study/", RehearsalStudy.as_view(), name="rehearsal_study"),
]

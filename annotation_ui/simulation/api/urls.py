"""Addresses of the simulations of a study, among those of the API."""

from django.urls import path

from annotation_ui.simulation.api.views import SimulationDetail, SimulationList, SimulationStudy

urlpatterns = [
    path("", SimulationList.as_view(), name="simulations"),
    path("<int:pk>/", SimulationDetail.as_view(), name="simulation"),
    path("<int:pk>/study/", SimulationStudy.as_view(), name="simulation_study"),
]

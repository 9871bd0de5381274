"""Thumbnails of a study's images."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from studies.api.fetch import fetch_study
from studies.api.views.base import ApiView, describe
from studies.datasets.thumbnails import make_thumbnail
from studies.models import Image


class Thumbnail(ApiView):
    """One image."""

    @describe(
        "Download a thumbnail\nA JPEG of at most 320 by 240 pixels. The URL is a field of the item.",
        answer={(200, "image/jpeg"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, name: str, pk: int) -> HttpResponse:
        study = fetch_study(request, name)
        image = get_object_or_404(Image, pk=pk, dataset=study.dataset_id)
        headers = {"Cache-Control": "private, max-age=3600"}
        return HttpResponse(make_thumbnail(image), content_type="image/jpeg", headers=headers)

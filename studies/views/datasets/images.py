"""Thumbnails of a study's images."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from studies.datasets.thumbnails import NoThumbnail, make_thumbnail
from studies.models import Image
from studies.views.fetch import fetch_study


@login_required
@require_safe
@cache_control(private=True, max_age=3600)
def show_thumbnail(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    study = fetch_study(request, name)
    image = get_object_or_404(Image, pk=pk, dataset=study.dataset_id)
    try:
        return HttpResponse(make_thumbnail(image), content_type="image/jpeg")
    except NoThumbnail as error:
        raise Http404(str(error)) from error

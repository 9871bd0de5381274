"""Links with which a rater continues on another device; anybody with the link acts as the rater."""

from typing import Final

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotation_ui.views.visits import Visit, for_visitors, remember_rater
from studies.collection.events import record_second_device
from studies.models import Rater
from studies.shared.clock import read_clock

_SALT: Final = "resume"
RESUME_SECONDS: Final = 30 * 24 * 60 * 60


def make_resume_link(request: HttpRequest, rater: Rater) -> str:
    """Return the absolute address of the link, valid for `RESUME_SECONDS`."""
    return request.build_absolute_uri(make_resume_path(rater))


def make_resume_path(rater: Rater) -> str:
    """Return the path of the link."""
    signed = signing.dumps([rater.study_id, rater.pseudonym], salt=_SALT)
    return reverse("annotation_ui:resume", args=[rater.study.join_token, signed])


@require_http_methods(["GET", "HEAD", "POST"])
@for_visitors
def resume(request: HttpRequest, visit: Visit, *, signed: str) -> HttpResponse:
    """Log this browser in as the rater, after a confirmation if it belongs to another rater."""
    try:
        study, pseudonym = signing.loads(signed, salt=_SALT, max_age=RESUME_SECONDS)
    except signing.BadSignature:
        study, pseudonym = None, ""
    rater = Rater.objects.filter(study=study, pseudonym=pseudonym).first()
    if rater is None or rater.study_id != visit.study.pk:
        return render(request, "annotation_ui/unknown.html", status=404)
    if visit.rater is not None and visit.rater != rater and request.method != "POST":
        return render(request, "annotation_ui/resume.html", {"study": visit.study})
    if visit.rater != rater:
        record_second_device(rater, now=read_clock())
    response = redirect("annotation_ui:join", visit.study.join_token)
    remember_rater(response, rater)
    return response

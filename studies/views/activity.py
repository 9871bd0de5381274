"""The feed of what happened in all studies of a person."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from studies.collaboration.feed import list_feed

PER_PAGE = 50


@login_required
@require_safe
def show_activity(request: HttpRequest) -> HttpResponse:
    page = Paginator(list_feed(request.user), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "studies/activity.html", {"page": page})

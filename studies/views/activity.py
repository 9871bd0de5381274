"""The feed of what happened in all studies of a person, and what of it is new to the person."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from studies.collaboration.feed import find_read, find_unread, list_feed, mark_read
from studies.forms.activity import ReadForm

PER_PAGE = 50


@login_required
@require_safe
def show_activity(request: HttpRequest) -> HttpResponse:
    page = Paginator(list_feed(request.user), PER_PAGE).get_page(request.GET.get("page"))
    newest = list_feed(request.user).values_list("pk", flat=True).first()
    context = {
        "page": page,
        "unread": find_unread(request.user, page.object_list),
        "form": ReadForm(initial={"up_to": newest}),
    }
    return render(request, "studies/activity.html", context)


@login_required
@require_POST
def mark_activity(request: HttpRequest) -> HttpResponse:
    """Mark as read what was there when the page was loaded; later changes stay new.

    What a page loaded later has already marked as read remains so.
    """
    form = ReadForm(request.POST)
    if form.is_valid():
        mark_read(request.user, up_to=max(form.cleaned_data["up_to"], find_read(request.user)))
    else:
        messages.error(request, "Nothing was marked as read: load the page again.")
    return redirect("studies:activity")

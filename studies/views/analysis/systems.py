"""Which systems people prefer: a page of the study, and its tables and figures as files."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from correlation.errors import CorrelationInputError
from studies.analysis.systems.files import PARTS, explain, list_cautions, make_file
from studies.analysis.systems.page import arrange_rankings
from studies.analysis.systems.ranking import find_ranking
from studies.forms.analysis.systems import RankingFileForm
from studies.shared.content_types import send_file
from studies.views.fetch import fetch_study
from studies.views.pending_parts import answer_poll, is_poll, say_again

PAGE = "studies:systems"


@login_required
@require_safe
@never_cache
def show_systems(request: HttpRequest, name: str) -> HttpResponse:
    study = fetch_study(request, name)
    asks = {"now": timezone.now(), "wait": "wait" in request.GET, "is_poll": is_poll(request)}
    known = find_ranking(study, **asks)
    if is_poll(request):
        return answer_poll(known.made is None and known.is_pending)
    context: dict[str, Any] = {"study": study, "tab": PAGE, "again": say_again(request), "known": known}
    if known.made and not known.made.problem:
        context |= {
            "parts": arrange_rankings(known.made),
            "told": explain(known.made),
            "cautions": list_cautions(known.made),
            "signatures": dict.fromkeys(each.signature for each in known.made.rankings),
        }
    return render(request, "studies/systems.html", context)


@login_required
@require_safe
@never_cache
def download_systems(request: HttpRequest, name: str, part: str, file_format: str) -> HttpResponse:
    """Return a table or figure of the page's ranking as a file; without `download`, a figure to show.

    A download of a ranking that is still being computed leads to the page, which shows what it waits for.
    """
    study, form = fetch_study(request, name), RankingFileForm(request.GET)
    if file_format not in PARTS.get(part, ()) or not form.is_valid():
        raise Http404(f"there is no {part}.{file_format} for {request.GET.dict()}")
    asked = form.cleaned_data
    try:
        found = find_ranking(study, now=timezone.now()).made
        if found is None and asked["download"]:
            messages.info(request, "The ranking of systems is still being computed. Download it once it is shown here.")
            return redirect(PAGE, name)
        if found is None or found.problem:
            raise Http404(found.problem if found else "the ranking is still being computed")
        drawn = {"place": asked["place"] or 0, "size": asked["size"] or "wide", "has_title": asked["download"]}
        content = make_file(found, part, file_format, **drawn)
    except CorrelationInputError as error:
        raise Http404(str(error)) from error
    return send_file(content, file_name=f"{name}-systems-{part}.{file_format}", is_shown=not asked["download"])

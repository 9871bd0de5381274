"""The front page, for everybody: what this is, the benchmark matrix as a figure, and three ways in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from studies.enums import StudyState
from studies.publishing.public_matrix import DEVELOPED_ON, find_public_matrix
from studies.publishing.public_studies import find_public_studies

MOST_STUDIES = 3


@require_safe
def show_front(request: HttpRequest) -> HttpResponse:
    studies = find_public_studies()
    opened = [each for each in studies if each.is_open_to_all]
    finished = [each for each in studies if each.study.state == StudyState.CLOSED]
    # A study with a report shows more than its numbers of judgments.
    finished.sort(key=lambda each: not each.reports)
    context = {
        "section": "front",
        "figure": find_public_matrix(),
        "optimistic": ", ".join(sorted(DEVELOPED_ON)),
        "opened": opened[:MOST_STUDIES],
        "finished": finished[:MOST_STUDIES],
        "n_more": len(studies) - len(opened[:MOST_STUDIES]) - len(finished[:MOST_STUDIES]),
    }
    return render(request, "studies/front.html", context)

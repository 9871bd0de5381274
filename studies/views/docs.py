"""The documentation as pages, for everybody."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from studies.shared.documentation import PICTURE_TYPES, find_picture, list_groups, render_page


@require_safe
def show_docs(request: HttpRequest) -> HttpResponse:
    return render(request, "studies/docs.html", {"section": "docs", "groups": list_groups()})


@require_safe
def show_docs_page(request: HttpRequest, page: str) -> HttpResponse:
    shown = render_page(page)
    if shown is None:
        raise Http404(f"there is no page {page} in the documentation")
    return render(request, "studies/docs_page.html", {"section": "docs", "shown": shown})


@require_safe
def show_docs_picture(_request: HttpRequest, folder: str, name: str) -> FileResponse:
    path = find_picture(folder, name)
    if path is None:
        raise Http404(f"there is no picture {folder}/{name} in the documentation")
    return FileResponse(path.open("rb"), content_type=PICTURE_TYPES[path.suffix.removeprefix(".")])

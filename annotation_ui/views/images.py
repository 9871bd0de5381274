"""Images of the tasks that a rater has held, and of no others."""

from pathlib import PurePath
from typing import Final

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from annotation_ui.views.visits import Visit, for_raters
from studies.collection.shown_tasks import find_image, list_shown_images

# Only what browsers cannot take for a page or a script, whatever somebody uploaded under the name of an image.
CONTENT_TYPES: Final = {
    ".avif": "image/avif",
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
}


@require_safe
@for_raters
def show_image(_request: HttpRequest, visit: Visit, *, name: str) -> HttpResponse:
    pk = find_image(name, seed=visit.study.seed, rater=visit.rater.pk)
    image = get_object_or_404(list_shown_images(visit.rater), pk=pk)
    content_type = CONTENT_TYPES.get(PurePath(image.file.name).suffix.lower(), "application/octet-stream")
    try:
        file = image.file.open("rb")
    except FileNotFoundError as error:
        raise Http404(f"the file of image {image.key!r} is gone") from error
    response = FileResponse(file, content_type=content_type)
    response["Cache-Control"] = "private, max-age=3600"
    return response

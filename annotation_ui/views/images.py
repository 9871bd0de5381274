"""The view of images, which serves a rater only those of tasks that the rater has had."""

from pathlib import PurePath
from typing import Final

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from annotation_ui.views.visits import Visit, for_raters
from studies.collection.shown_tasks import find_image, list_shown_images
from studies.models import Image

# Only types that browsers do not interpret as pages or scripts, whatever the content of an upload.
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
    response = send_image(image)
    response["Cache-Control"] = "private, max-age=3600"
    return response


def send_image(image: Image) -> FileResponse:
    """Return the file of an image under a neutral name, because the stored name contains the study and the key.

    Raises:
        Http404: The file does not exist.
    """
    suffix = PurePath(image.file.name).suffix.lower()
    known = suffix if suffix in CONTENT_TYPES else ""
    try:
        file = image.file.open("rb")
    except FileNotFoundError as error:
        raise Http404(f"the file of image {image.key!r} no longer exists") from error
    content_type = CONTENT_TYPES.get(suffix, "application/octet-stream")
    return FileResponse(file, filename=f"image{known}", content_type=content_type)

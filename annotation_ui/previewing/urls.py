"""The URLs of the preview, with the names and paths of raters' pages in another instance namespace.

In the preview, `{% url 'annotation_ui:task' ... %}` resolves to its own page, so it can use the templates of raters.
"""

from typing import Final

from django.urls import path

from annotation_ui.previewing.views import (
    end_preview,
    show_declined,
    show_image,
    show_instructions,
    show_join,
    show_pause,
    show_task,
    show_thanks,
    try_answer,
)
from annotation_ui.urls import urlpatterns as of_raters

app_name = "annotation_ui"
_PATHS: Final = {page.name: str(page.pattern) for page in of_raters}
_VIEWS: Final = {
    "join": show_join,
    "decline": show_declined,
    "instructions": show_instructions,
    "task": show_task,
    "submit": try_answer,
    "return": show_pause,
    "image": show_image,
    "thanks": show_thanks,
    "leave": end_preview,
}
urlpatterns = [path(_PATHS[name], view, name=name) for name, view in _VIEWS.items()]

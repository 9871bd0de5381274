"""Where parameters of metrics may name files, for people on pages."""

from pathlib import Path

from django.conf import settings

from metrics_plugins.runtime import FileRoots
from studies.models import Dataset


def find_roots(dataset: Dataset) -> FileRoots:
    """Return the folders that runs on a dataset may read: that of the dataset's own files, then the operator's."""
    resources = Path(settings.ACCORDANCE_RESOURCES)
    return FileRoots((resources / "datasets" / str(dataset.pk), resources / "shared"))

"""Folders in which metric parameters set on pages may name files."""

from pathlib import Path

from django.conf import settings

from metrics_plugins.runtime import FileRoots
from studies.models import Dataset


def find_roots(dataset: Dataset) -> FileRoots:
    """Return the folders that runs on a dataset may read: the dataset's own files first, then the operator's."""
    resources = Path(settings.ACCORDANCE_RESOURCES)
    return FileRoots((resources / "datasets" / str(dataset.pk), resources / "shared"))

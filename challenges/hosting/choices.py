"""What a host can choose from on a page: datasets and metrics."""

from typing import Any

from django.db.models import QuerySet

from challenges.submissions.scoring import load_metrics
from metrics_plugins.api import FitsOn, Input, MetricInfo
from studies.models import Dataset


def list_datasets(user: Any) -> QuerySet[Dataset]:
    """Return the datasets with references of studies that the person owns, since scores tell about references."""
    found = Dataset.objects.filter(images__references__isnull=False)
    return (found if user.is_superuser else found.filter(studies__owner=user)).distinct().order_by("title", "pk")


def list_metrics() -> list[MetricInfo]:
    """Return the bundled metrics that need only captions and references, by id."""
    found = (each.info for each in load_metrics().metrics.values())
    return sorted(
        (
            info
            for info in found
            if not info.inputs & {Input.IMAGE, Input.WORLD} and info.fits_on in (FitsOn.NOTHING, FitsOn.REFERENCES)
        ),
        key=lambda info: info.id,
    )

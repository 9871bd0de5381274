"""What a host can choose from: datasets and metrics."""

from typing import Any

from django.db.models import QuerySet

from challenges.errors import ChallengeRefused
from challenges.hosting.plans import ChallengePlan
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


def check_choices(plan: ChallengePlan, *, user: Any) -> None:
    """Check that a person may make a challenge from a plan: it names only what they could choose on a page.

    Raises:
        ChallengeRefused: The dataset or a metric is none that they can choose.
    """
    if not list_datasets(user).filter(name=plan.dataset).exists():
        raise ChallengeRefused(f"there is no dataset {plan.dataset!r} with references in a study that you own")
    known = {info.id for info in list_metrics()}
    for phase in plan.phases:
        if unknown := [each.metric for each in phase.metrics if each.metric not in known]:
            raise ChallengeRefused(f"phase {phase.slug}: challenges do not allow the metric {unknown[0]!r}")

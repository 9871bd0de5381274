"""The versions of a study's design."""

from django.db.models import QuerySet

from studies.models import Study, StudyVersion


def load_newest_version(study: Study) -> StudyVersion:
    """Return the newest version.

    Raises:
        StudyVersion.DoesNotExist: The study has no design.
    """
    return StudyVersion.objects.filter(study=study).latest("number")


def list_versions(study: Study) -> QuerySet[StudyVersion]:
    """Return all versions, newest first, each with its creator."""
    return StudyVersion.objects.filter(study=study).select_related("created_by").order_by("-number")

"""The versions of a study's design."""

from django.db.models import QuerySet

from studies.models import Study, StudyVersion


def load_newest_version(study: Study) -> StudyVersion:
    """Return the version in force.

    Raises:
        StudyVersion.DoesNotExist: The study has no design yet.
    """
    return StudyVersion.objects.filter(study=study).latest("number")


def list_versions(study: Study) -> QuerySet[StudyVersion]:
    """Return all versions, the one in force first, each with who made it."""
    return StudyVersion.objects.filter(study=study).select_related("created_by").order_by("-number")

"""The versions of a study's design."""

from studies.models import Study, StudyVersion


def load_newest_version(study: Study) -> StudyVersion:
    """Return the version in force.

    Raises:
        StudyVersion.DoesNotExist: The study has no design yet.
    """
    return StudyVersion.objects.filter(study=study).latest("number")

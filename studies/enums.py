"""The closed vocabularies of the data model; each member's value is what the database and JSON hold."""

from django.db.models import TextChoices


class TaskKind(TextChoices):
    """What a rater is asked to do; one file in `annotation_ui/kinds/` each."""

    PAIRWISE = "pairwise", "Pairwise choice"
    RATING = "rating", "Rating"
    SET_RATING = "set_rating", "Rating of caption sets"


class StudyState(TextChoices):
    """A study is designed, then takes judgments, then takes no more."""

    DRAFT = "draft", "Draft"
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"


class AssignmentState(TextChoices):
    """A lease is live while leased or submitted; expired and returned leases free their place."""

    LEASED = "leased", "Leased"
    SUBMITTED = "submitted", "Submitted"
    EXPIRED = "expired", "Expired"
    RETURNED = "returned", "Returned"


class MemberRole(TextChoices):
    """What a colleague may do in a study; the owner is not a member."""

    EDITOR = "editor", "Editor"
    VIEWER = "viewer", "Viewer"

"""The closed vocabularies of the data model; each member's value is what the database and JSON hold."""

from django.db.models import TextChoices


class TaskKind(TextChoices):
    """What a rater is asked to do; one file in `annotation_ui/kinds/` each."""

    PAIRWISE = "pairwise", "Pairwise choice"
    RATING = "rating", "Rating"
    SET_RATING = "set_rating", "Rating of caption sets"
    TURING = "turing", "Person or machine"
    BEST_WORST = "best_worst", "Best and worst of several"
    CAPTION = "caption", "Writing captions"


class TaskRole(TextChoices):
    """What a task is for. Only judgments of main tasks are correlated with metrics."""

    MAIN = "main", "Main task"
    TRAINING = "training", "Training with feedback"
    QUALIFICATION = "qualification", "Qualification"
    GOLD = "gold", "Check with a known answer"
    ATTENTION = "attention", "Check that asks for one answer"


class StudyState(TextChoices):
    """A study is designed, then takes judgments, then takes no more."""

    DRAFT = "draft", "Draft"
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"


class AssignmentState(TextChoices):
    """A lease is live while leased or submitted; expired and returned leases free their place.

    A retaken one was submitted in an attempt at the qualification that failed.
    """

    LEASED = "leased", "Leased"
    SUBMITTED = "submitted", "Submitted"
    EXPIRED = "expired", "Expired"
    RETURNED = "returned", "Returned"
    RETAKEN = "retaken", "Taken again"


class RaterOutcome(TextChoices):
    """How a rater's part in a study ended; empty while it goes on."""

    FINISHED = "finished", "Finished"
    LEFT = "left", "Left before the end"
    NOT_QUALIFIED = "not_qualified", "Did not qualify"
    DECLINED = "declined", "Did not agree to take part"
    WITHDRAWN = "withdrawn", "Withdrew"


class PanelKind(TextChoices):
    """Where raters come from; one module in `annotation_ui/panels/` each."""

    LINK = "link", "Study link, nobody is known"
    PROLIFIC = "prolific", "Prolific"
    GENERIC = "generic", "Panel with an id in the address and a code at the end"
    IN_HOUSE = "in_house", "Personal links"
    AMT = "amt", "External question of Mechanical Turk's model"


class EventKind(TextChoices):
    """What happened around a rater and is not a judgment."""

    REFUSED = "refused", "Something was refused"
    REOPENED = "reopened", "Came back"
    SECOND_DEVICE = "second_device", "Came back without the cookie of the first visit"
    LATE = "late", "An answer came after its time"
    CORRECTED = "corrected", "An answer was corrected"
    LEFT = "left", "Left"
    WITHDREW = "withdrew", "Withdrew"


class MemberRole(TextChoices):
    """What a colleague may do in a study; the owner is not a member."""

    EDITOR = "editor", "Editor"
    VIEWER = "viewer", "Viewer"

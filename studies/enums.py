"""The closed vocabularies of the data model; each member's value is what the database and JSON hold."""

from typing import Final

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
    """A lease is live while leased or submitted; expired and returned leases free their slot.

    A retaken one was submitted in an attempt at the qualification that failed; a replaced one was submitted by a rater
    who is excluded and whose slots went back.
    """

    LEASED = "leased", "Leased"
    SUBMITTED = "submitted", "Submitted"
    EXPIRED = "expired", "Expired"
    RETURNED = "returned", "Returned"
    RETAKEN = "retaken", "Taken again"
    REPLACED = "replaced", "Replaced"


class RaterOutcome(TextChoices):
    """How a rater's part in a study ended; empty while it goes on.

    No task was left for somebody who had done none; they ran out for somebody who had begun.
    """

    FINISHED = "finished", "Finished"
    NO_TASKS = "no_tasks", "No task was left"
    CUT_SHORT = "cut_short", "Tasks ran out before the end"
    LEFT = "left", "Left before the end"
    NOT_QUALIFIED = "not_qualified", "Did not qualify"
    DECLINED = "declined", "Did not agree to take part"
    WITHDRAWN = "withdrawn", "Withdrew"


MAY_GO_ON: Final = ("", RaterOutcome.FINISHED, RaterOutcome.NO_TASKS, RaterOutcome.CUT_SHORT)
"""Outcomes of raters who get a task if one becomes free, and whose late answers are taken."""


class PanelKind(TextChoices):
    """Where raters come from; one module in `annotation_ui/channels/` each."""

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
    ARRIVAL_REFUSED = "arrival_refused", "Somebody else came with their id, and was refused"
    LATE = "late", "An answer came after its time"
    CORRECTED = "corrected", "An answer was corrected"
    LEFT = "left", "Left"
    WITHDREW = "withdrew", "Withdrew"


class MemberRole(TextChoices):
    """What a colleague may do in a study; the owner is not a member."""

    EDITOR = "editor", "Editor"
    ANALYST = "analyst", "Analyst"
    VIEWER = "viewer", "Viewer"


class RequestState(TextChoices):
    """How far a run is that somebody asked for: of metrics on a study, or of the checks of one metric."""

    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    CANCELLED = "cancelled", "Cancelled"
    FINISHED = "finished", "Finished"
    FAILED = "failed", "Failed"


class AuditAction(TextChoices):
    """What was changed in a study, and by whom it is written down (`studies.access.auditing`)."""

    CREATED = "created", "Made the study"
    CLONED = "cloned", "Made the study from another"
    REBUILT = "rebuilt", "Made the study from a bundle"
    DESIGNED = "designed", "Changed the design"
    RENAMED = "renamed", "Changed title or protocol"
    PREREGISTERED = "preregistered", "Froze design and plan"
    SIMULATED = "simulated", "Began a simulation"
    LOOKED = "looked", "Looked at it under the stopping rule"
    OPENED = "opened", "Opened the study"
    CLOSED = "closed", "Closed the study"
    CHECKS_ADDED = "checks_added", "Added checks with ruined captions"
    CAPTIONS_COLLECTED = "captions_collected", "Made candidates of written captions"
    INVITED = "invited", "Made personal links"
    RESUME_LINK_MADE = "resume_link_made", "Made a link for another browser of a rater"
    BATCH_WRITTEN = "batch_written", "Wrote a batch"
    BATCH_TAKEN = "batch_taken", "Took in the results of a batch"
    PAY_DECIDED = "pay_decided", "Decided on top-ups"
    PAID = "paid", "Recorded payments as paid"
    SCORED = "scored", "Started a run of metrics"
    RUN_CHANGED = "run_changed", "Paused, resumed or cancelled a run"
    METRIC_SWITCHED = "metric_switched", "Switched a metric on or off"
    METRIC_SET = "metric_set", "Set the parameters of a metric"
    EXCLUDED = "excluded", "Left a rater out"
    READMITTED = "readmitted", "Took a rater back in"
    WITHDRAWN = "withdrawn", "A rater withdrew"
    ERASED = "erased", "Erased who raters were"
    ERASED_AGAIN = "erased_again", "Erased again after a restore"
    NAMES_EXPORTED = "names_exported", "Wrote a file that names raters"
    PERSON_SOUGHT = "person_sought", "Looked a person up"
    PERSON_EXPORTED = "person_exported", "Exported what is stored of a person"
    PERSON_ERASED = "person_erased", "Erased a person on request"
    REPORTED = "reported", "Froze a report"
    SHARED = "shared", "Made a link to a report"
    UNSHARED = "unshared", "Revoked a link to a report"
    EXPORTED = "exported", "Downloaded data"
    MEMBER_ADDED = "member_added", "Added a member"
    MEMBER_CHANGED = "member_changed", "Changed a member's role"
    MEMBER_REMOVED = "member_removed", "Removed a member"
    OWNER_CHANGED = "owner_changed", "Gave the study to another owner"
    OWNER_OFFERED = "owner_offered", "Offered the study to another owner"
    OFFER_ACCEPTED = "offer_accepted", "Accepted the study as its owner"
    OFFER_DECLINED = "offer_declined", "Declined the study"
    OFFER_WITHDRAWN = "offer_withdrawn", "Withdrew the offer of the study"
    TOKEN_MADE = "token_made", "Made an API token"
    TOKEN_REVOKED = "token_revoked", "Revoked an API token"
    LOGGED_IN = "logged_in", "Logged in"
    LOGGED_OUT = "logged_out", "Logged out"
    LOGIN_FAILED = "login_failed", "Failed to log in"


class Interface(TextChoices):
    """The interface by which a change came in."""

    PAGE = "page", "Page"
    API = "api", "API"
    COMMAND = "command", "Command"


class WorkState(TextChoices):
    """How far a piece of background work is."""

    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"

    @classmethod
    def of_job(cls, state: str) -> "WorkState":
        """Return what the state of a job is called by who waits for its work."""
        known = {"queued": cls.WAITING, "running": cls.RUNNING, "done": cls.DONE}
        return known.get(state, cls.FAILED)


PERTURBED: Final = "perturbed"
"""Category of a gold item whose caption was ruined on purpose; it has no right answer, only a worse one."""

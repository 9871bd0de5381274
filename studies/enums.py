"""The enumerations of the data model; the values of members are stored in the database and in JSON."""

from typing import Final

from django.db.models import TextChoices


class TaskKind(TextChoices):
    """The kinds of task, each with a module in `annotation_ui/kinds/`."""

    PAIRWISE = "pairwise", "Pairwise choice"
    RATING = "rating", "Rating"
    SET_RATING = "set_rating", "Caption set rating"
    TURING = "turing", "Person or machine"
    BEST_WORST = "best_worst", "Best-worst scaling"
    CAPTION = "caption", "Caption writing"


class TaskRole(TextChoices):
    """The purpose of a task. Only judgments of main tasks are correlated with metrics."""

    MAIN = "main", "Main task"
    TRAINING = "training", "Training with feedback"
    QUALIFICATION = "qualification", "Qualification"
    GOLD = "gold", "Gold check"
    ATTENTION = "attention", "Attention check"


class StudyState(TextChoices):
    """A study is designed, then accepts judgments, then is closed."""

    DRAFT = "draft", "Draft"
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"


class AssignmentState(TextChoices):
    """A lease is live while leased or submitted; expired and returned leases free their slot.

    Retaken means submitted in a failed attempt at the qualification; replaced means submitted by an excluded rater
    whose slots were freed.
    """

    LEASED = "leased", "Leased"
    SUBMITTED = "submitted", "Submitted"
    EXPIRED = "expired", "Expired"
    RETURNED = "returned", "Returned"
    RETAKEN = "retaken", "Retaken"
    REPLACED = "replaced", "Replaced"


class RaterOutcome(TextChoices):
    """How a rater's participation ended; empty while it continues.

    If tasks run out, the outcome is `NO_TASKS` for raters who have done none, `CUT_SHORT` in an unfinished session.
    """

    FINISHED = "finished", "Finished"
    NO_TASKS = "no_tasks", "No tasks left"
    CUT_SHORT = "cut_short", "Tasks ran out"
    LEFT = "left", "Left early"
    NOT_QUALIFIED = "not_qualified", "Did not qualify"
    DECLINED = "declined", "Declined"
    WITHDRAWN = "withdrawn", "Withdrew"

    @staticmethod
    def describe(value: str) -> str:
        """Return the label of an outcome; of an empty one, what an active participation is called."""
        return str(RaterOutcome(value).label) if value else "Still active"


MAY_GO_ON: Final = ("", RaterOutcome.FINISHED, RaterOutcome.NO_TASKS, RaterOutcome.CUT_SHORT)
"""The outcomes of raters who get a task if one becomes free, and whose late answers are accepted."""


class PanelKind(TextChoices):
    """The sources of raters, each with a module in `annotation_ui/channels/`."""

    LINK = "link", "Study link (anonymous)"
    PROLIFIC = "prolific", "Prolific"
    GENERIC = "generic", "Generic panel (id in the URL, completion code)"
    IN_HOUSE = "in_house", "Personal links"
    AMT = "amt", "Mechanical Turk model (ExternalQuestion)"


class EventKind(TextChoices):
    """Events of raters other than judgments."""

    REFUSED = "refused", "Request refused"
    REOPENED = "reopened", "Resumed"
    SECOND_DEVICE = "second_device", "Resumed without the cookie of the first visit"
    ARRIVAL_REFUSED = "arrival_refused", "Second arrival with the same id refused"
    LATE = "late", "Late answer"
    CORRECTED = "corrected", "Answer corrected"
    LEFT = "left", "Left"
    WITHDREW = "withdrew", "Withdrew"


class MemberRole(TextChoices):
    """The role of a member, which determines their permissions; the owner is not a member."""

    EDITOR = "editor", "Editor"
    ANALYST = "analyst", "Analyst"
    VIEWER = "viewer", "Viewer"


class RequestState(TextChoices):
    """The state of a requested run, of metrics on a study or of the checks of one metric."""

    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    CANCELLED = "cancelled", "Cancelled"
    FINISHED = "finished", "Finished"
    FAILED = "failed", "Failed"


class AuditAction(TextChoices):
    """The actions in the audit log (`studies.access.audit`)."""

    CREATED = "created", "Created the study"
    CLONED = "cloned", "Cloned the study"
    REBUILT = "rebuilt", "Rebuilt the study from a bundle"
    DESIGNED = "designed", "Changed the design"
    RENAMED = "renamed", "Changed the title or protocol"
    PREREGISTERED = "preregistered", "Preregistered design and plan"
    SIMULATED = "simulated", "Started a simulation"
    LOOKED = "looked", "Took an interim look"
    OPENED = "opened", "Opened the study"
    FILLED = "filled", "All planned tasks are done"
    CLOSED = "closed", "Closed the study"
    ARCHIVED = "archived", "Archived the study"
    RESTORED = "restored", "Took the study out of the archive"
    DELETED = "deleted", "Deleted the draft"
    CHECKS_ADDED = "checks_added", "Added checks with perturbed captions"
    CAPTIONED = "captioned", "Added a system with a captioner"
    CAPTIONS_COLLECTED = "captions_collected", "Turned written captions into candidates"
    INVITED = "invited", "Created personal links"
    RESUME_LINK_MADE = "resume_link_made", "Created a link for a rater to resume in another browser"
    BATCH_WRITTEN = "batch_written", "Wrote a batch"
    BATCH_TAKEN = "batch_taken", "Imported the results of a batch"
    PAY_DECIDED = "pay_decided", "Decided on top-ups"
    PAID = "paid", "Recorded payments as paid"
    SCORED = "scored", "Started a run of metrics"
    RUN_ENDED = "run_ended", "A run of metrics ended"
    SCORES_IMPORTED = "scores_imported", "Imported scores of metrics"
    RUN_CHANGED = "run_changed", "Paused, resumed or cancelled a run"
    METRIC_SWITCHED = "metric_switched", "Enabled or disabled a metric"
    METRIC_SET = "metric_set", "Set the parameters of a metric"
    EXCLUDED = "excluded", "Excluded a rater"
    READMITTED = "readmitted", "Lifted the exclusion of a rater"
    WITHDRAWN = "withdrawn", "A rater withdrew"
    ERASED = "erased", "Erased identities of raters"
    ERASED_AGAIN = "erased_again", "Repeated erasures after a restore"
    NAMES_EXPORTED = "names_exported", "Exported a file that identifies raters"
    PERSON_SOUGHT = "person_sought", "Searched for a person"
    PERSON_EXPORTED = "person_exported", "Exported the data stored about a person"
    PERSON_ERASED = "person_erased", "Erased a person on request"
    REPORTED = "reported", "Froze a report"
    SHARED = "shared", "Created a share link for a report"
    UNSHARED = "unshared", "Revoked a share link for a report"
    STUDY_PUBLISHED = "study_published", "Made the study public"
    STUDY_UNPUBLISHED = "study_unpublished", "Made the study private"
    REPORT_TITLED = "report_titled", "Changed the title of a report"
    REPORT_PUBLISHED = "report_published", "Made a report public"
    REPORT_UNPUBLISHED = "report_unpublished", "Made a report private"
    COMMENTED = "commented", "Wrote a comment"
    COMMENT_DELETED = "comment_deleted", "Deleted a comment"
    EXPORTED = "exported", "Downloaded data"
    MEMBER_ADDED = "member_added", "Added a member"
    MEMBER_CHANGED = "member_changed", "Changed a member's role"
    MEMBER_REMOVED = "member_removed", "Removed a member"
    OWNER_CHANGED = "owner_changed", "Transferred ownership of the study"
    OWNER_OFFERED = "owner_offered", "Offered ownership of the study"
    OFFER_ACCEPTED = "offer_accepted", "Accepted ownership of the study"
    OFFER_DECLINED = "offer_declined", "Declined ownership of the study"
    OFFER_WITHDRAWN = "offer_withdrawn", "Withdrew the offer of ownership"
    TOKEN_MADE = "token_made", "Created an API token"
    TOKEN_REVOKED = "token_revoked", "Revoked an API token"
    WEBHOOK_SET = "webhook_set", "Set a webhook"
    WEBHOOK_REMOVED = "webhook_removed", "Removed a webhook"
    MAILS_SWITCHED = "mails_switched", "Turned mails on or off"
    LOGGED_IN = "logged_in", "Logged in"
    LOGGED_OUT = "logged_out", "Logged out"
    LOGIN_FAILED = "login_failed", "Failed to log in"


class Interface(TextChoices):
    """The interface by which a change was made; events that nobody caused directly come from the site itself."""

    PAGE = "page", "Page"
    API = "api", "API"
    COMMAND = "command", "Command"
    SITE = "site", "Site"


class WorkState(TextChoices):
    """The state of background work."""

    WAITING = "waiting", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"

    @classmethod
    def of_job(cls, state: str) -> "WorkState":
        """Return the state of work for those who wait for it, from the state of its job."""
        known = {"queued": cls.WAITING, "running": cls.RUNNING, "done": cls.DONE}
        return known.get(state, cls.FAILED)


PERTURBED: Final = "perturbed"
"""The category of a gold item with a distorted caption, which has no right answer but should be rated lower."""

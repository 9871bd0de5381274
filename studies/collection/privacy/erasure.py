"""Erasure of personal data, on withdrawal or at the end of the retention time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from studies.access.accounts.attempts import delete_old_attempts
from studies.access.audit import COMMAND_LINE, record_change
from studies.access.limits import delete_old_counts
from studies.collection.arrival.identities import list_same_people
from studies.collection.arrival.raters import Participant
from studies.collection.pay.earnings import list_creditors
from studies.collection.privacy.erasure_log import Erasure, commit_erasures, list_person_subjects, log_erasures
from studies.datasets.staged_uploads import delete_old_uploads
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import AuditAction
from studies.models import Identity, Invitation, Rater, RaterEvent, Study, Submission


@dataclass(frozen=True, slots=True)
class Erased:
    """The numbers of erasures in one study.

    Attributes:
        study: Its name.
        n_people: Participants whose data were erased in this study.
        n_identities: Of these, participants of no other study, whose identity was erased as well.
        n_owed: Participants past their retention time who are kept until money owed to them is paid.
    """

    study: str
    n_people: int
    n_identities: int
    n_owed: int = 0


def erase_expired(*, now: datetime) -> list[Erased]:
    """Erase the personal data past the retention time, in every study whose design sets one; return what was erased.

    The time of a rater starts at the end of their participation or, if they never came back, at the expiry of their
    last lease or at their joining. Raters to whom the study owes money are kept until it is paid, since payment needs
    the panel's id. Judgments stay, under pseudonyms that cannot be resolved. Counts of joins and failed logins per
    address are deleted after an hour, and uploads that did not become a study after a day.

    Raises:
        ServiceUnreachable: Uploads in the object store could not be deleted; everything else was.
    """
    delete_old_counts(now=now)
    delete_old_attempts()
    studies = Study.objects.exclude(versions=None).order_by("name")
    found = [_erase_in(study, now=now) for study in studies]
    # Last: an object store that cannot be reached must not delay the erasure of identities.
    delete_old_uploads(now=now)
    return [one for one in found if one.n_people or one.n_owed]


@commit_erasures()
def erase_identities(hashes: Iterable[str], *, study: Study, now: datetime, is_logged: bool = True) -> int:
    """Erase the panel data of participants in this study, and their identities unless another study refers to them.

    Raters lose their identity hash and their events; their judgments stay. The erasure is logged, so that it can be
    repeated after a restore, except when it is such a repetition. Return how many identities were erased.
    """
    given = {one for one in hashes if one}
    identities = Identity.objects.filter(identity_hash__in=given)
    people = {Participant(one.panel, one.participant_id) for one in identities}
    known = given.union(*list_same_people(given).values())
    RaterEvent.objects.filter(rater__study=study, rater__identity_hash__in=known).delete()
    Submission.objects.filter(study=study, identity_hash__in=known).delete()
    Invitation.objects.filter(study=study, identity_hash__in=known).delete()
    Rater.objects.filter(study=study, identity_hash__in=known).update(identity_hash="", join_nonce="")
    needed = {
        *Rater.objects.filter(identity_hash__in=known).values_list("identity_hash", flat=True),
        *Invitation.objects.filter(identity_hash__in=known).values_list("identity_hash", flat=True),
        *Submission.objects.filter(identity_hash__in=known).values_list("identity_hash", flat=True),
    }
    n_erased, _ = Identity.objects.filter(identity_hash__in=known - needed).delete()
    if is_logged:
        subjects = sorted(list_person_subjects(study, person)[0] for person in people)
        log_erasures([Erasure(subject, now) for subject in subjects])
    return n_erased


def find_first_known(study: Study) -> dict[str, datetime]:
    """Return keyed hash -> the time since when a study knows the person, for raters, visitors and invited people."""
    found: dict[str, datetime] = {}
    for model, since in ((Rater, "joined_at"), (Submission, "started_at"), (Invitation, "created_at")):
        rows = model._default_manager.filter(study=study).exclude(identity_hash="")
        for one, at in rows.values_list("identity_hash", since):
            found[one] = min(at, found.get(one, at))
    return found


@commit_erasures()
def _erase_in(study: Study, *, now: datetime) -> Erased:
    design = StudyDesign.from_json(load_newest_version(study).design)
    if not design.retention_days:
        return Erased(study=study.name, n_people=0, n_identities=0)
    limit = now - timedelta(days=design.retention_days)
    expired = _list_expired(study, limit=limit)
    creditors = list_creditors(study) if expired else frozenset()
    owed = {person for person in expired if person & creditors}
    gone = expired - owed
    n_identities = erase_identities(frozenset().union(*gone), study=study, now=now) if gone else 0
    if gone:
        details = {"people": len(gone), "retention_days": design.retention_days}
        record_change(study, actor=COMMAND_LINE, action=AuditAction.ERASED, now=now, details=details)
    return Erased(study=study.name, n_people=len(gone), n_identities=n_identities, n_owed=len(owed))


def _list_expired(study: Study, *, limit: datetime) -> set[frozenset[str]]:
    """Return the people past their retention time, each by all their hashes; any newer hash keeps the person."""
    raters = Rater.objects.filter(study=study).exclude(identity_hash="").prefetch_related("assignments")
    last_heard = {
        rater.identity_hash: rater.finished_at
        or max([rater.joined_at, *(assignment.expires_at for assignment in rater.assignments.all())])
        for rater in raters
    }
    never_joined = [
        *Invitation.objects.filter(study=study, created_at__lte=limit).values_list("identity_hash", flat=True),
        *Submission.objects.filter(study=study, started_at__lte=limit).values_list("identity_hash", flat=True),
    ]
    expired = {one for one, heard in last_heard.items() if heard <= limit}
    expired |= {one for one in never_joined if one not in last_heard}
    present = set(find_first_known(study)) - expired
    return {person for person in list_same_people(expired).values() if not person & present}

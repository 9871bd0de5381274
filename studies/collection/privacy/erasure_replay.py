"""Repeats the erasures made since the backup after a restore."""

from dataclasses import dataclass
from datetime import datetime
from random import Random

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.collection.arrival.raters import Participant
from studies.collection.privacy.erasure import erase_identities, find_first_known
from studies.collection.privacy.erasure_log import (
    Erasure,
    LoggedErasures,
    commit_erasures,
    list_person_subjects,
    list_rater_subjects,
)
from studies.collection.privacy.withdrawal import withdraw
from studies.enums import AuditAction, RaterOutcome
from studies.models import Identity, Rater, Study


@dataclass(frozen=True, slots=True)
class ReplayedErasures:
    """The numbers of repeated erasures in one study.

    Attributes:
        study: Its name.
        n_withdrawn: Raters who had withdrawn.
        n_people: People who had been erased by retention or on request.
        n_unconfirmed: Those among both whose earlier erasure is not confirmed in the log: after the request, the commit
                failed or the confirmation was lost in a crash.
    """

    study: str
    n_withdrawn: int
    n_people: int
    n_unconfirmed: int = 0


def replay_erasures(
    log: LoggedErasures, *, now: datetime, rng: Random, actor: Actor = COMMAND_LINE
) -> list[ReplayedErasures]:
    """Repeat the logged erasures of everyone who is in the database again, in every study; return what was erased.

    A second call finds nobody. Entries are looked up under the keys of the settings: a backup made under an older key
    needs that key among the fallbacks. Unconfirmed entries are erased too: they were requested, and otherwise a
    committed erasure could be lost for good.
    """
    studies = Study.objects.order_by("name")
    found = (_erase_in(study, log, now=now, rng=rng, actor=actor) for study in studies)
    return [one for one in found if one.n_withdrawn or one.n_people]


@commit_erasures()
def _erase_in(study: Study, log: LoggedErasures, *, now: datetime, rng: Random, actor: Actor) -> ReplayedErasures:
    withdrawn: list[str] = []
    there = Rater.objects.filter(study=study, is_placeholder=False).exclude(outcome=RaterOutcome.WITHDRAWN)
    for rater in there.select_related("study"):
        erasure = _find(log, list_rater_subjects(rater), since=rater.joined_at)
        # Raters who are the same person are withdrawn together, with the first of them.
        if erasure and there.filter(pk=rater.pk).exists():
            withdraw(rater, erase_judgments=erasure.answers, now=now, rng=rng, receipt=erasure.receipt)
            withdrawn.append(erasure.subject)
    since = find_first_known(study)
    erased: dict[str, str] = {}
    for one in Identity.objects.filter(identity_hash__in=since):
        subjects = list_person_subjects(study, Participant(one.panel, one.participant_id))
        erasure = _find(log, subjects, since=since[one.identity_hash])
        if erasure:
            erased[one.identity_hash] = erasure.subject
    if erased:
        erase_identities(erased, study=study, now=now, is_logged=False)
    n_unconfirmed = len(log.unconfirmed.intersection((*withdrawn, *erased.values())))
    if withdrawn or erased:
        details = {"withdrawn": len(withdrawn), "people": len(erased), "unconfirmed": n_unconfirmed}
        record_change(study, actor=actor, action=AuditAction.ERASED_AGAIN, now=now, details=details)
    return ReplayedErasures(study.name, len(withdrawn), len(erased), n_unconfirmed)


def _find(log: LoggedErasures, subjects: tuple[str, ...], *, since: datetime) -> Erasure | None:
    # An entry does not apply to people who came back after their erasure and consented again.
    found = (log.by_subject[one] for one in subjects if one in log.by_subject)
    return next((one for one in found if since <= one.at), None)

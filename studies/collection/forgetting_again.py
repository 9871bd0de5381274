"""After a restore: what was erased since the backup was made is erased again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.db import transaction

from studies.access.auditing import COMMAND_LINE, Actor, record_change
from studies.collection.erasure_log import Erasure, list_person_subjects, list_rater_subjects
from studies.collection.forgetting import find_first_known, forget_identities
from studies.collection.raters import Participant
from studies.collection.withdrawing import withdraw
from studies.enums import AuditAction, RaterOutcome
from studies.models import Identity, Rater, Study


@dataclass(frozen=True, slots=True)
class ForgottenAgain:
    """What was erased again in one study.

    Attributes:
        study: Its name.
        n_withdrawn: Raters who had withdrawn.
        n_people: People who had been erased by retention or on request.
    """

    study: str
    n_withdrawn: int
    n_people: int


def forget_again(
    log: Mapping[str, Erasure], *, now: datetime, rng: Random, actor: Actor = COMMAND_LINE
) -> list[ForgottenAgain]:
    """Erase in every study whoever stands in a log of erasures and is there again; return what that was.

    A second time it finds nobody. Entries are found under the keys of the settings: a backup that was made under an
    older key needs that one among the fallbacks.
    """
    studies = Study.objects.order_by("name")
    found = (_forget_in(study, log, now=now, rng=rng, actor=actor) for study in studies)
    return [one for one in found if one.n_withdrawn or one.n_people]


@transaction.atomic
def _forget_in(study: Study, log: Mapping[str, Erasure], *, now: datetime, rng: Random, actor: Actor) -> ForgottenAgain:
    n_withdrawn = 0
    there = Rater.objects.filter(study=study, is_placeholder=False).exclude(outcome=RaterOutcome.WITHDRAWN)
    for rater in there.select_related("study"):
        erasure = _find(log, list_rater_subjects(rater), since=rater.joined_at)
        if erasure:
            withdraw(rater, erase_judgments=erasure.answers, now=now, rng=rng, receipt=erasure.receipt)
            n_withdrawn += 1
    since = find_first_known(study)
    people = Identity.objects.filter(identity_hash__in=since)
    erased = [
        one.identity_hash
        for one in people
        if _find(
            log, list_person_subjects(study, Participant(one.panel, one.participant_id)), since=since[one.identity_hash]
        )
    ]
    if erased:
        forget_identities(erased, study=study, now=now, is_logged=False)
    if n_withdrawn or erased:
        details = {"withdrawn": n_withdrawn, "people": len(erased)}
        record_change(study, actor=actor, action=AuditAction.FORGOTTEN_AGAIN, now=now, details=details)
    return ForgottenAgain(study.name, n_withdrawn, len(erased))


def _find(log: Mapping[str, Erasure], subjects: tuple[str, ...], *, since: datetime) -> Erasure | None:
    # Who has come back after an erasure, and agreed anew, is not meant by it.
    return next((log[one] for one in subjects if one in log and since <= log[one].at), None)

"""Tests of the limit of new raters per network, also for concurrent requests."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection

from studies.collection.assignment import (
    TooManyNewcomers,
    check_slots,
    expire_leases,
    lease_task,
    leave_study,
    return_task,
    take_lease,
)
from studies.collection.lifecycle import close_study
from studies.design.study_design import StudyDesign
from studies.models import AddressLease, Assignment
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.collection.assignment.staged import LATE, make_staged_study, submit

MOST = 3


@pytest.fixture(autouse=True)
def _few(settings) -> None:
    settings.ACCORDANCE_NEWCOMERS_PER_ADDRESS = MOST


def _ask(rater, *, network="here", now=NOW):
    lease = take_lease(rater, now=now, network=network)
    return lease and lease.assignment


def _come(study, number, *, network="here"):
    return [_ask(make_rater(study, f"{network}-{index}"), network=network) for index in range(number)]


@pytest.mark.django_db
def test_a_network_holds_so_many_first_leases_of_a_study() -> None:
    study, other = (make_open_study(name, n_tasks=9, has_files=False) for name in ("study", "other"))
    _come(study, MOST)
    late = make_rater(study, "late")

    with pytest.raises(TooManyNewcomers):
        _ask(late)

    assert Assignment.objects.filter(rater=late).count() == 0
    assert study.slots.filter(is_held=True).count() == MOST
    assert _ask(late, network="elsewhere") is not None
    assert len(_come(other, MOST)) == MOST


@pytest.mark.django_db
@pytest.mark.parametrize("end", ["submit", "return", "leave", "expire", "close"])
def test_every_end_of_a_lease_frees_the_limit_of_the_network(end: str) -> None:
    study = make_open_study(n_tasks=9, has_files=False)
    first, *_ = _come(study, MOST)

    ends = {
        "submit": lambda: submit(first),
        "return": lambda: return_task(first),
        "leave": lambda: leave_study(first.rater, now=NOW),
        "expire": lambda: expire_leases(study_id=study.pk, now=LATE),
        "close": lambda: close_study(study, now=NOW),
    }
    ends[end]()

    left = {"expire": 0, "close": 0}.get(end, MOST - 1)
    assert AddressLease.objects.count() == left
    assert end == "close" or _ask(make_rater(study, "next")) is not None


@pytest.mark.django_db
def test_who_has_answered_counts_no_more() -> None:
    study = make_open_study(n_tasks=20, has_files=False)
    for assignment in _come(study, MOST):
        submit(assignment)
        assert _ask(assignment.rater).task_id != assignment.task_id

    assert len(_come(study, MOST, network="here-again")) == MOST
    assert [_ask(make_rater(study, f"more-{index}")) is None for index in range(MOST)] == [False] * MOST


@pytest.mark.django_db
def test_raters_who_let_a_task_run_out_count_again_until_they_answer() -> None:
    study = make_open_study(n_tasks=20, has_files=False)
    raters = [assignment.rater for assignment in _come(study, MOST)]
    for index in range(MOST):
        raters.append(make_rater(study, f"next-{index}"))
        submit(_ask(raters[index]))
        _ask(raters[-1])
    for rater in raters[MOST:]:
        submit(_ask(rater))
    held = [_ask(rater) for rater in raters]
    minutes = {(each.expires_at - each.leased_at).total_seconds() / 60 for each in held}
    expire_leases(study_id=study.pk, now=LATE)

    again = [_ask(rater, now=LATE) for rater in raters[:MOST]]
    with pytest.raises(TooManyNewcomers):
        _ask(raters[MOST], now=LATE)
    submit(again[0], now=LATE)

    assert minutes == {30}
    assert {(each.expires_at - each.leased_at).total_seconds() / 60 for each in again} == {10}
    assert _ask(raters[MOST], now=LATE) is not None
    back = _ask(raters[0], now=LATE)
    assert (back.expires_at - back.leased_at).total_seconds() / 60 == 30


@pytest.mark.django_db
def test_asking_again_for_what_one_holds_counts_once_and_is_never_refused() -> None:
    study = make_open_study(n_tasks=9, has_files=False)
    first, *_ = _come(study, MOST)

    assert _ask(first.rater) == first
    assert AddressLease.objects.count() == MOST


@pytest.mark.django_db
def test_training_counts_for_nobody_and_has_all_its_time() -> None:
    study = make_staged_study(training=1)
    held = _come(study, 2 * MOST)

    assert AddressLease.objects.count() == 0
    assert {assignment.expires_at - assignment.leased_at for assignment in held} == {timedelta(minutes=30)}


@pytest.mark.django_db
def test_first_lease_is_shorter_and_the_next_is_not() -> None:
    study = make_open_study(n_tasks=9, has_files=False)
    first = _ask(make_rater(study, "counted"))
    submit(first)
    times = [first, _ask(first.rater), lease_task(make_rater(study, "vouched for"), now=NOW)]

    minutes = [(one.expires_at - one.leased_at).total_seconds() / 60 for one in times]
    assert minutes == [10, 30, 30]


@pytest.mark.parametrize(
    ("lease", "seconds", "first"), [(30, 0, 10), (30, 60, 10), (30, 240, 12), (90, 0, 30), (5, 0, 5), (20, 900, 20)]
)
def test_first_lease_has_time_for_the_task(lease: int, seconds: int, first: int) -> None:
    assert StudyDesign(lease_minutes=lease, task_seconds=seconds).first_lease_minutes == first


@pytest.mark.django_db(transaction=True)
def test_the_bound_holds_for_many_who_ask_at_once() -> None:
    study = make_open_study(n_tasks=20, has_files=False)
    raters = [make_rater(study, f"rater-{number}") for number in range(16)]

    def ask(rater) -> bool:
        try:
            return _ask(rater) is not None
        except TooManyNewcomers:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        held = list(pool.map(ask, raters))

    assert sum(held) == MOST == AddressLease.objects.count() == study.slots.filter(is_held=True).count()
    assert check_slots(study.pk) == ()

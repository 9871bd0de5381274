"""A lease and a submit take a fixed number of queries, however large the study; the rest is in `test_assigning`."""

import pytest

from studies.domain.assigning import Answer, lease_task, submit_answers
from tests.factories.studies import NOW, make_rater
from tests.studies.domain.assigning.large import make_large_study

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("n_tasks", [10, 200])
def test_queries_do_not_grow_with_the_study(n_tasks, django_assert_num_queries) -> None:
    study = make_large_study(n_tasks=n_tasks, raters_per_task=5)
    for number in range(n_tasks // 2):
        lease_task(make_rater(study, f"other-{number}"), now=NOW)
    rater = make_rater(study)

    with django_assert_num_queries(LEASE):
        first = lease_task(rater, now=NOW)
    with django_assert_num_queries(SUBMIT):
        submit_answers(first, answers=[Answer(item=first.shown[0]["item"], value=1.0)], now=NOW)
    with django_assert_num_queries(LEASE):
        second = lease_task(rater, now=NOW)
    with django_assert_num_queries(HELD):
        again = lease_task(rater, now=NOW)

    assert (first.task == second.task, again) == (False, second)


# Look for leases; lock the rater, what was done so far, the version, the place, its items; the new
# assignment; two savepoints.
LEASE = 9
# Lock rater, assignment and study; save, judgments; two savepoints.
SUBMIT = 5
# Look for leases, read the one; rater, version and tally for its stage.
HELD = 5

"""Tests of calls that finish, fail and are lost, on executors of this process."""

from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from execution.errors import CallsLost, ClusterFailed
from execution.factory import InlineExecutor, ProcessExecutor
from execution.outstanding import OutstandingCalls


def add(shared, item):
    return shared + item


def measure(shared, _):
    return id(shared)


class Losing(InlineExecutor):
    """A cluster that loses all calls that are outstanding as often as it is told to."""

    def __init__(self, *, lose, recoveries=()):
        self.lose = list(lose)
        self.n_shared = 0
        self.recoveries = list(recoveries)

    def share(self, value):
        self.n_shared += 1
        return super().share(value)

    def submit(self, fn, /, *args, **kwargs):
        if self.lose and self.lose.pop(0):
            future: Future = Future()
            future.set_exception(CallsLost("lost"))
            return future
        return super().submit(fn, *args, **kwargs)

    def recover(self):
        if self.recoveries and self.recoveries.pop(0):
            raise CallsLost("once more")


def run(executor, *, items=range(6), most=3):
    with OutstandingCalls(executor, add, shared=100) as calls:
        return [(item, future.result()) for item, future in calls.run(items, most=most)]


def test_each_item_comes_back_once_with_its_result():
    with ThreadPoolExecutor(2) as executor:
        assert sorted(run(executor)) == [(item, 100 + item) for item in range(6)]


@pytest.mark.parametrize("recoveries", [(), (True, False)])
def test_lost_calls_are_submitted_again_with_the_shared_value(recoveries):
    executor = Losing(lose=[False, True, False, False, True, True], recoveries=recoveries)

    assert sorted(run(executor)) == [(item, 100 + item) for item in range(6)]
    assert executor.n_shared > 1


def test_a_cluster_that_loses_everything_again_and_again_is_an_error():
    with pytest.raises(ClusterFailed, match="lost all calls 5 times in a row"):
        run(Losing(lose=[True] * 100))


def test_an_error_of_a_call_is_that_of_its_future():
    with OutstandingCalls(InlineExecutor(), add, shared=1) as calls:
        calls.submit("one")
        item, future = calls.take()

    assert item == "one"
    assert isinstance(future.exception(), TypeError)


def test_items_are_consumed_as_fast_as_calls_finish():
    consumed = []

    def make():
        for item in range(6):
            consumed.append(item)
            yield item

    with OutstandingCalls(InlineExecutor(), add, shared=0) as calls:
        next(calls.run(make(), most=2))

    assert consumed == [0, 1]


class Refusing(Losing):
    """A cluster that is lost while calls are being submitted."""

    def submit(self, fn, /, *args, **kwargs):
        if self.lose and self.lose.pop(0):
            raise CallsLost("lost")
        return InlineExecutor.submit(self, fn, *args, **kwargs)


def test_a_call_that_cannot_be_submitted_is_submitted_again():
    assert sorted(run(Refusing(lose=[False, True, True, False]))) == [(item, 100 + item) for item in range(6)]


class Waiting(InlineExecutor):
    """Finishes nothing."""

    def submit(self, fn, /, *args, **kwargs):
        return Future()


def test_what_waits_is_cancelled_at_the_end():
    with OutstandingCalls(Waiting(), add, shared=0) as calls:
        calls.submit(1)
        (future,) = calls._waiting

    assert future.cancelled()


def test_a_worker_process_receives_the_shared_value_once():
    with ProcessExecutor(1) as executor, OutstandingCalls(executor, measure, shared=[1]) as calls:
        found = {future.result() for _, future in calls.run(range(5), most=2)}

    assert len(found) == 1

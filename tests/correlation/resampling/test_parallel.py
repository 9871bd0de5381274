"""Tests of tasks in one process and in several; tasks are classes of this module, so that they can be pickled."""

import os
from dataclasses import dataclass

import pytest

from correlation.errors import UnknownNameError
from correlation.resampling.parallel import run_tasks


@dataclass(frozen=True)
class Adding:
    """Adds a number, and says in which process."""

    number: int

    def prepare(self):
        return lambda task: (task + self.number, os.getpid())


@dataclass(frozen=True)
class Refusing:
    """Refuses to be prepared."""

    def prepare(self):
        raise UnknownNameError("work", "refusing", ["adding"])


def test_results_are_in_the_order_of_the_tasks():
    results = list(run_tasks(Adding(10), range(20), processes=2))

    assert [value for value, _ in results] == list(range(10, 30))
    assert os.getpid() not in {process for _, process in results}


@pytest.mark.parametrize(("tasks", "processes"), [([1, 2], 1), ([1], 4), ([], 4)])
def test_one_task_or_one_process_needs_no_other(tasks, processes):
    assert list(run_tasks(Adding(1), tasks, processes=processes)) == [(task + 1, os.getpid()) for task in tasks]


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_reaches_the_caller_as_it_is(processes):
    with pytest.raises(UnknownNameError, match="unknown work 'refusing'; known are: adding"):
        list(run_tasks(Refusing(), [1, 2], processes=processes))

"""Tests of waiting for a cluster, by a clock of the test's own."""

from types import SimpleNamespace

import pytest

from execution.cluster import connection
from execution.cluster.connection import ClusterSettings, Connection
from execution.errors import ClusterFailed

WORKERS = {"tcp://10.0.0.8:41233": {"name": "lab-3"}}


class Client:
    """A client whose scheduler answers from one time on, and has workers from another."""

    def __init__(self, *, answers, has_workers):
        self.now, self.answers, self.has_workers = 0.0, answers, has_workers

    @property
    def status(self):
        return "running" if self.now >= self.answers else "connecting"

    def scheduler_info(self, n_workers):
        return {"workers": WORKERS if self.now >= self.has_workers else {}}

    def sleep(self, seconds):
        self.now += seconds


def wait(client, monkeypatch):
    monkeypatch.setattr(connection, "time", SimpleNamespace(monotonic=lambda: client.now, sleep=client.sleep))
    return Connection(ClusterSettings("tcp://10.0.0.5:8786", wait=60.0), client).wait_for_workers(device="cpu")


def test_workers_have_the_whole_time_from_when_the_scheduler_answers(monkeypatch):
    assert wait(Client(answers=50, has_workers=105), monkeypatch) == WORKERS


def test_a_scheduler_that_does_not_answer_is_given_up(monkeypatch):
    with pytest.raises(ClusterFailed, match="the scheduler cannot be reached, for 60 seconds"):
        wait(Client(answers=61, has_workers=61), monkeypatch)


def test_workers_that_do_not_come_back_are_given_up(monkeypatch):
    client = Client(answers=50, has_workers=200)

    with pytest.raises(ClusterFailed, match="it has no workers, for 60 seconds"):
        wait(client, monkeypatch)

    assert 110 <= client.now < 111

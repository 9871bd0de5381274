"""Simulated raters in a server process: they come, work, submit twice, go back, leave and withdraw.

Started as `python -m tests.studies.collection.actors SEED N_OPERATIONS START MINUTES_PER_SECOND STUDY`, it does that
many operations on raters that other processes serve at the same time. Time runs faster than it does outside, so that
leases expire. It prints one line for each thing that a rater was told: `done ASSIGNMENT VALUE`, `corrected ASSIGNMENT
VALUE`, `withdrew RATER`, and at the end `counts JSON`. With 0 operations it works until nothing is left to do.
"""

import json
import sys
import time
from collections import Counter
from datetime import timedelta
from random import Random

import django

VALUES = (1.0, 2.0, 3.0, 4.0)
PAGES_KEPT = 200
LAST_COME_AFTER_MINUTES = 60


class Actor:
    """One process. `pages` are assignments that were shown and may be sent, now or much later."""

    def __init__(self, study, *, seed, start, pace):
        self.study, self.start, self.pace = study, start, pace
        self.rng = Random(seed)
        self.version = study.versions.latest("number")
        self.pages, self.nonces, self.counts = [], [], Counter()
        self.raters = []

    @property
    def now(self):
        from tests.factories.studies import NOW

        return NOW + timedelta(minutes=self.pace * (time.time() - self.start))

    def arrive(self):
        from studies.collection.arrival.raters import join_study

        # Some forms are sent twice, often to another process.
        nonce = self.rng.choice(self.nonces) if self.nonces and self.rng.random() < 0.3 else f"form-{self.rng.random()}"
        self.nonces.append(nonce)
        rater = join_study(self.study, version=self.version, now=self.now, rng=self.rng, nonce=nonce)
        self.raters.append(rater)

    def visit(self):
        from studies.collection.assignment import StageName, begin_session, find_stage, lease_task

        rater = self._choose_rater()
        assignment = lease_task(rater, now=self.now)
        if assignment is None and find_stage(rater).name == StageName.PAUSE:
            assignment = begin_session(rater, now=self.now)
        if assignment is None:
            self.counts["nothing left"] += 1
            return
        self.pages.append(assignment)
        del self.pages[:-PAGES_KEPT]

    def submit(self):
        self._submit(self.pages[-1]) if self.pages else self.visit()

    def submit_twice(self):
        if self.pages:
            self._submit(self.pages[-1])
            self._submit(self.pages[-1])

    def submit_old_page(self):
        if self.pages:
            self._submit(self.rng.choice(self.pages))

    def correct(self):
        from studies.collection.assignment import CannotSubmit, correct_answers, find_correctable

        page = self.rng.choice(self.pages) if self.pages and self.rng.random() < 0.3 else None
        page = page or find_correctable(self._choose_rater())
        if page is None:
            return
        value = self.rng.choice(VALUES)
        try:
            correct_answers(page, answers=_answer(page, value), now=self.now)
        except CannotSubmit as refusal:
            self.counts[type(refusal).__name__] += 1
        else:
            _say("corrected", page.pk, value)

    def give_back(self):
        from studies.collection.assignment import return_task

        if self.pages:
            return_task(self.rng.choice(self.pages))

    def leave(self):
        from studies.collection.assignment import leave_study

        leave_study(self._choose_rater(), now=self.now)

    def withdraw(self):
        from studies.collection.privacy.withdrawal import AlreadyWithdrawn, withdraw

        rater = self._choose_rater()
        try:
            withdraw(rater, erase_judgments=self.rng.random() < 0.5, now=self.now, rng=self.rng)
        except AlreadyWithdrawn:
            self.counts["AlreadyWithdrawn"] += 1
        _say("withdrew", rater.pk)

    def expire(self):
        from studies.collection.assignment import expire_leases

        expire_leases(study_id=self.study.pk, now=self.now)

    def work(self, n_operations):
        """Do operations at random, or, with 0 of them, let raters come until there is nothing left for a new one."""
        weights = {
            "visit": 41, "submit": 38, "arrive": 5, "submit_twice": 4, "submit_old_page": 4, "correct": 4,
            "give_back": 2, "expire": 1, "leave": 0.6, "withdraw": 0.4,
        }  # fmt: skip
        for number in range(n_operations):
            name = self.rng.choices(list(weights), weights=list(weights.values()))[0] if number else "arrive"
            self.counts[name] += 1
            getattr(self, name)()
            if number % 50 == 0:
                self._refresh()
        if not n_operations:
            self._finish()
        _say("counts", json.dumps(self.counts))

    def _finish(self):
        from studies.collection.assignment import lease_task
        from studies.models import Slot

        # However quick the machine is: what the other processes left leased has expired before the last come.
        self.start -= LAST_COME_AFTER_MINUTES / self.pace
        self.expire()
        while Slot.objects.filter(study=self.study, is_held=False).exists():
            self.arrive()
            rater = self.raters[-1]
            while assignment := lease_task(rater, now=self.now):
                self._submit(assignment)

    def _submit(self, page):
        from studies.collection.assignment import CannotSubmit, submit_answers

        # One value for each page: whether the first or the second sending came through cannot be told apart.
        value = VALUES[page.pk % len(VALUES)]
        try:
            submit_answers(page, answers=_answer(page, value), now=self.now)
        except CannotSubmit as refusal:
            self.counts[type(refusal).__name__] += 1
        else:
            _say("done", page.pk, value)

    def _choose_rater(self):
        # Few at a time, so that processes meet at the same raters.
        return self.rng.choice(self.raters[-60:])

    def _refresh(self):
        from studies.models import Rater

        self.raters = list(Rater.objects.filter(study=self.study, outcome="").order_by("pk")) or self.raters


def _answer(page, value):
    from studies.collection.assignment import Answer

    return [Answer(item=entry["item"], value=value) for entry in page.shown]


def _say(*words):
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def main():
    seed, n_operations, start, pace, study = sys.argv[1:]
    django.setup()
    from studies.models import Study

    actor = Actor(Study.objects.get(pk=int(study)), seed=int(seed), start=float(start), pace=float(pace))
    _say("ready", n_operations)
    sys.stdin.readline()
    actor.work(int(n_operations))


if __name__ == "__main__":
    main()

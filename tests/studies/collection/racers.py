"""A server process for tests of races, with several raters in threads.

Started as `python -m tests.studies.collection.racers NOW MOST PK...`, it waits for a line on its input, then lets every
rater of the primary keys lease and submit up to MOST tasks, each answer twice at the same time. It prints `leased PK`
and `done PK` with primary keys of assignments; whatever is printed as done was acknowledged.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Lock

import django

_PRINTING = Lock()


def _say(word: str, pk: int) -> None:
    with _PRINTING:
        sys.stdout.write(f"{word} {pk}\n")
        sys.stdout.flush()


def _work(pk: int, *, now: datetime, most: int) -> None:
    from django.db import connection

    from studies.collection.assignment import Answer, lease_task, submit_answers
    from studies.models import Rater

    def submit(assignment):
        answers = [Answer(item=entry["item"], value=1.0) for entry in assignment.shown]
        try:
            return submit_answers(assignment, answers=answers, now=now)
        finally:
            connection.close()

    try:
        for _ in range(most):
            assignment = lease_task(Rater.objects.get(pk=pk), now=now)
            if assignment is None:
                return
            _say("leased", assignment.pk)
            with ThreadPoolExecutor(2) as twice:
                acknowledged = set(twice.map(submit, [assignment, assignment]))
            if len(acknowledged) == 1:
                _say("done", assignment.pk)
    finally:
        connection.close()


def main() -> None:
    now, most, *pks = sys.argv[1:]
    django.setup()
    with ThreadPoolExecutor(len(pks)) as raters:
        sys.stdin.readline()
        futures = [raters.submit(_work, int(pk), now=datetime.fromisoformat(now), most=int(most)) for pk in pks]
    for future in futures:
        future.result()


if __name__ == "__main__":
    main()

"""Why there is no result: a message, with a code where pages word what is lacking themselves."""

from enum import StrEnum
from typing import Self


class Lack(StrEnum):
    """What a study needs first."""

    JUDGMENTS = "judgments"
    SCORES = "scores"


class Problem(str):
    """A message that says why there is no result, and the code of what is lacking; None if it is something else.

    An exception that has it as its argument passes it on through `read_problem`.
    """

    lack: Lack | None

    def __new__(cls, text: str, lack: Lack | None = None) -> Self:
        made = super().__new__(cls, text)
        made.lack = lack
        return made


def lack_judgments(study_name: str) -> Problem:
    """Return the problem of a study without judgments."""
    return Problem(f"study {study_name} has no judgments yet", Lack.JUDGMENTS)


def read_problem(error: Exception) -> Problem:
    """Return the message of an exception, with its code."""
    told = error.args[0] if error.args else ""
    return told if isinstance(told, Problem) else Problem(str(error))


def lacks_judgments(problem: str) -> bool:
    """Return whether a problem is that a study has no judgments, so that running metrics does not help."""
    return isinstance(problem, Problem) and problem.lack == Lack.JUDGMENTS

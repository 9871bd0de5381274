"""Tests of samples and reports of mutation sessions, with sessions as cosmic-ray 8.7 stores them."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from benchmarks.mutants import Mutant, Session, draw_sample, match_mutants

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "def add(a: int | None, b: int) -> int:\n    return a + b - 1\n"
ADD, SUBTRACT, NUMBER = (
    "core/ReplaceBinaryOperator_Add_Mul",
    "core/ReplaceBinaryOperator_Sub_Add",
    "core/NumberReplacer",
)
MUTANTS = [
    ("union", "core/ReplaceBinaryOperator_BitOr_Add", 1, 15),
    ("add", ADD, 2, 13),
    ("subtract", SUBTRACT, 2, 17),
    ("number", NUMBER, 2, 19),
]


def make_session(folder: Path, *, source: str = SOURCE, first_line: int = 0, results: dict[str, str] | None = None):
    """Write a module and a session with its mutants; keys begin with the folder's name."""
    folder.mkdir()
    (folder / "module.py").write_text(source)
    with closing(sqlite3.connect(folder / "session.sqlite")) as database, database:
        database.executescript(
            "create table work_items (job_id);"
            "create table mutation_specs (module_path, operator_name, operator_args, occurrence, start_pos_row,"
            " start_pos_col, job_id);"
            "create table work_results (job_id, test_outcome);"
        )
        for name, operator, row, column in MUTANTS:
            job = f"{folder.name} {name}"
            database.execute("insert into work_items values (?)", [job])
            database.execute(
                "insert into mutation_specs values ('module.py', ?, '{}', 0, ?, ?, ?)",
                [operator, row + first_line, column, job],
            )
        for name, outcome in (results or {}).items():
            database.execute("insert into work_results values (?, ?)", [f"{folder.name} {name}", outcome])
    return Session(folder / "session.sqlite", folder)


def run_script(*arguments: object) -> str:
    command = [sys.executable, "-m", "benchmarks.mutants", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_mutants_of_annotations_are_left_out(tmp_path: Path) -> None:
    mutants = make_session(tmp_path / "one").list_mutants()

    assert [mutant.job for mutant in mutants] == ["one add", "one subtract", "one number"]
    assert mutants[0] == Mutant("one add", f"{ADD} {{}}", 2, 13, "return a + b - 1")


def test_equal_lines_match_wherever_they_are(tmp_path: Path) -> None:
    before = make_session(tmp_path / "before")
    after = make_session(tmp_path / "after", source=f'"""A docstring."""\n\n{SOURCE}', first_line=2)
    other = make_session(tmp_path / "other", source=SOURCE.replace("b - 1", "b - 2"))

    matched = match_mutants([before.list_mutants(), after.list_mutants()])

    assert [tuple(mutant.job for mutant in mutants) for mutants in matched] == [
        ("before add", "after add"),
        ("before subtract", "after subtract"),
        ("before number", "after number"),
    ]
    assert match_mutants([before.list_mutants(), other.list_mutants()]) == []


def test_equal_lines_in_a_module_match_in_their_order() -> None:
    first, second = (Mutant(job, ADD, row, 4, "a + b") for job, row in (("first", 3), ("second", 9)))
    third, fourth = (Mutant(job, ADD, row, 4, "a + b") for job, row in (("third", 5), ("fourth", 6)))

    assert match_mutants([[first, second], [third, fourth]]) == [(first, third), (second, fourth)]
    assert match_mutants([[first, second], [third]]) == [(first, third)]


def test_sample_has_one_mutant_of_a_place_and_family() -> None:
    operators = [
        "core/ReplaceBinaryOperator_Add_Mul {}",
        "core/ReplaceBinaryOperator_Add_Sub {}",
        "core/NumberReplacer {}",
    ]
    matched = [(Mutant(f"{row} {operator}", operator, row, 4, "a + 1"),) for row in (1, 2) for operator in operators]

    sample = draw_sample(matched, size=9, rng=Random(1))

    assert sorted((one.row, one.family) for (one,) in sample) == [
        (row, family) for row in (1, 2) for family in ("core/NumberReplacer", "core/ReplaceBinaryOperator")
    ]
    assert len(draw_sample(matched, size=3, rng=Random(1))) == 3
    assert sample == draw_sample(matched, size=9, rng=Random(1))


def test_script_keeps_the_same_sample_in_both_sessions(tmp_path: Path) -> None:
    before, after = (make_session(tmp_path / name) for name in ("before", "after"))
    sides = [word for session in (before, after) for word in ("--session", session.file, session.checkout)]

    printed = run_script("sample", *sides, "--size", 2)

    assert printed == "3 mutants on every side, 2 kept\n"
    kept = [
        [mutant.job.removeprefix(side) for mutant in session.list_mutants()]
        for side, session in (("before", before), ("after", after))
    ]
    assert len(kept[0]) == 2
    assert kept[0] == kept[1]


def test_script_prints_survivors_with_their_lines(tmp_path: Path) -> None:
    results = {"union": "SURVIVED", "add": "KILLED", "subtract": "SURVIVED", "number": "KILLED"}
    session = make_session(tmp_path / "one", results=results)

    printed = run_script("report", session.file, session.checkout)

    assert printed == f"2 of 3 mutants killed\n2:17 {SUBTRACT} {{}}: return a + b - 1\n"


@pytest.mark.parametrize(
    "results", [{}, {"union": "KILLED", "add": "INCOMPETENT", "subtract": "KILLED", "number": "KILLED"}]
)
def test_mutants_without_a_result_are_no_survivors(tmp_path: Path, results: dict[str, str]) -> None:
    session = make_session(tmp_path / "one", results=results)

    with pytest.raises(
        ValueError, match=rf"every mutant must be tested, got {4 if not results else 1} without a result"
    ):
        session.list_survivors()

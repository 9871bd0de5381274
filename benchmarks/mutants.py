"""Compares how many mutants of a module its tests kill at two commits, with sessions of cosmic-ray.

In a checkout of each commit, `cosmic-ray init CONFIG SESSION` lists the mutants of the module that CONFIG names. Then

    python -m benchmarks.mutants sample --session BEFORE CHECKOUT --session AFTER CHECKOUT [--size 120]

keeps the same sample in both sessions, and after `cosmic-ray exec CONFIG SESSION` in each checkout

    python -m benchmarks.mutants report AFTER CHECKOUT

prints how many mutants were killed, and the line of each that survived. cosmic-ray is installed apart from the project.
"""

import argparse
import ast
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

SEED: Final = 20261129
SIZE: Final = 120

_MUTANTS: Final = """
    select job_id, operator_name, operator_args, module_path, start_pos_row, start_pos_col from mutation_specs
    order by start_pos_row, start_pos_col, operator_name, operator_args, occurrence
"""
_SURVIVORS: Final = "select job_id from work_results where test_outcome = 'SURVIVED'"
_UNTESTED: Final = """
    select count(*) from mutation_specs left join work_results using (job_id)
    where test_outcome is null or test_outcome not in ('SURVIVED', 'KILLED')
"""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mutant of a module.

    Attributes:
        job: The key of the mutant in its session.
        operator: The operator of cosmic-ray with its arguments, for instance `core/ReplaceBinaryOperator_Add_Sub {}`.
        row: The line of the module, from 1.
        column: The column of the mutated code, from 0.
        line: The text of the line without indentation.
    """

    job: str
    operator: str
    row: int
    column: int
    line: str

    @property
    def family(self) -> str:
        """The operator without what it replaces and by what: `core/ReplaceBinaryOperator`."""
        return self.operator.split("_")[0].split(" ")[0]


@dataclass(frozen=True, slots=True)
class Session:
    """A session of cosmic-ray, an SQLite file, and the checkout whose module it mutates."""

    file: Path
    checkout: Path

    def list_mutants(self) -> list[Mutant]:
        """Return the mutants in the order of the module, except those of annotations."""
        with closing(sqlite3.connect(self.file)) as database:
            rows = database.execute(_MUTANTS).fetchall()
        sources = {module: (self.checkout / module).read_text() for module in {row[3] for row in rows}}
        lines = {module: source.splitlines() for module, source in sources.items()}
        spans = {module: _find_annotations(source) for module, source in sources.items()}
        return [
            Mutant(job, f"{operator} {arguments}", row, column, lines[module][row - 1].strip())
            for job, operator, arguments, module, row, column in rows
            if not any(start <= (row, column) < end for start, end in spans[module])
        ]

    def keep(self, jobs: Collection[str]) -> None:
        """Remove all other mutants."""
        with closing(sqlite3.connect(self.file)) as database, database:
            found = {job for (job,) in database.execute("select job_id from work_items")}
            unwanted = [(job,) for job in found.difference(jobs)]
            for table in ("work_results", "mutation_specs", "work_items"):
                database.executemany(f"delete from {table} where job_id = ?", unwanted)  # noqa: S608 - listed above

    def list_survivors(self) -> list[Mutant]:
        """Return the mutants that no test failed for.

        Raises:
            ValueError: Mutants have not been tested, or their tests could not be run.
        """
        with closing(sqlite3.connect(self.file)) as database:
            survivors = {job for (job,) in database.execute(_SURVIVORS)}
            untested = database.execute(_UNTESTED).fetchone()[0]
        if untested:
            raise ValueError(f"{self.file}: every mutant must be tested, got {untested} without a result")
        return [mutant for mutant in self.list_mutants() if mutant.job in survivors]


def match_mutants(sides: Sequence[Sequence[Mutant]]) -> list[tuple[Mutant, ...]]:
    """Return the mutants that every side has, by operator, text of the line, column, and order among equal ones."""
    tables = []
    for mutants in sides:
        table: dict[tuple[object, ...], Mutant] = {}
        seen: defaultdict[tuple[object, ...], int] = defaultdict(int)
        for mutant in mutants:
            place = (mutant.operator, mutant.line, mutant.column)
            table[*place, seen[place]] = mutant
            seen[place] += 1
        tables.append(table)
    return [tuple(table[key] for table in tables) for key in tables[0] if all(key in other for other in tables[1:])]


def draw_sample(matched: Sequence[tuple[Mutant, ...]], *, size: int, rng: Random) -> list[tuple[Mutant, ...]]:
    """Return at most `size` of the matched mutants: one of each place and family of operators, drawn at random."""
    places: defaultdict[tuple[object, ...], list[tuple[Mutant, ...]]] = defaultdict(list)
    for mutants in matched:
        places[mutants[0].row, mutants[0].column, mutants[0].family].append(mutants)
    chosen = [rng.choice(choices) for choices in places.values()]
    return rng.sample(chosen, min(size, len(chosen)))


def _find_annotations(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the first position of each annotation and the position after its end, as (line, column)."""
    nodes = [getattr(node, name, None) for node in ast.walk(ast.parse(source)) for name in ("annotation", "returns")]
    return [
        ((node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset))
        for node in nodes
        if isinstance(node, ast.expr)
    ]


def _sample(arguments: argparse.Namespace) -> None:
    sessions = [Session(file, checkout) for file, checkout in arguments.session]
    matched = match_mutants([session.list_mutants() for session in sessions])
    sample = draw_sample(matched, size=arguments.size, rng=Random(SEED))  # noqa: S311 - not a secret
    for session, mutants in zip(sessions, zip(*sample, strict=True), strict=True):
        session.keep({mutant.job for mutant in mutants})
    print(f"{len(matched)} mutants on every side, {len(sample)} kept")


def _report(arguments: argparse.Namespace) -> None:
    session = Session(arguments.file, arguments.checkout)
    mutants, survivors = session.list_mutants(), session.list_survivors()
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants killed")
    for mutant in survivors:
        print(f"{mutant.row}:{mutant.column} {mutant.operator}: {mutant.line}")


def main() -> None:
    """Read the command line and run `sample` or `report`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    sample = commands.add_parser("sample", help="keep the same mutants in all sessions")
    sample.add_argument("--session", nargs=2, type=Path, action="append", required=True, metavar=("FILE", "CHECKOUT"))
    sample.add_argument("--size", type=int, default=SIZE, help="the largest number of mutants")
    sample.set_defaults(run=_sample)
    report = commands.add_parser("report", help="print how many mutants were killed, and the survivors")
    report.add_argument("file", type=Path)
    report.add_argument("checkout", type=Path)
    report.set_defaults(run=_report)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()

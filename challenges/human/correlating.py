"""Makes a study of the systems of a phase: human results and metrics of each entry, for `correlate`."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from challenges.board.freezing import load_board
from challenges.board.ranking import Board
from challenges.board.shown import name_column
from challenges.errors import ChallengeRefused
from challenges.human.columns import HumanColumn, list_shown
from challenges.human.making import name_systems
from challenges.human.results import find_human_column
from challenges.models import Phase, Submission
from correlation.csv_lines import write_csv
from correlation.protocols.named import get_protocol
from studies.access.audit import Actor
from studies.datasets.importing.files.json_tables import read_any_records
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.tables.reading import TableFacts, build_dataset
from studies.datasets.importing.writing import write_dataset
from studies.models import Study
from studies.shared.errors import ImportFailed
from studies.shared.files import SourceFile

PROTOCOL: Final = "coco-2015"
_FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class _Judged:
    board: Board
    columns: tuple[HumanColumn, ...]
    systems: dict[int, str]


def make_system_study(phase: Phase, *, name: str, owner: Any, actor: Actor, now: datetime) -> Study:
    """Import the entries of the board with their human results and scores, as a table of systems is imported.

    The study has a row of each criterion for each entry that was judged, the scores of the board as shown, and the
    protocol `coco-2015@1` with the criteria that were judged. Human captions are not a row of it, since metrics do not
    score them.

    Raises:
        ChallengeRefused: Fewer than two entries of the board were judged on all shown criteria, or the name is taken or
            the owner's quota is used up.
    """
    judged = _load(phase, now=now)
    if len(judged.systems) < _FEWEST:
        raise ChallengeRefused(
            f"at least {_FEWEST} entries of the leaderboard must have been judged on every criterion that is shown, "
            f"got {len(judged.systems)}"
        )
    scored = [name_column(each) for each in judged.board.columns]
    file = SourceFile(f"{phase.challenge.slug}-{phase.slug}-human.csv", "".join(_write(judged)).encode())
    chosen = get_protocol(PROTOCOL)
    criteria = tuple(str(each.criterion.name) for each in judged.columns)
    if set(criteria) != set(chosen.criteria):
        chosen = chosen.with_options(criteria=criteria)
    options = ImportOptions(
        source=Path(file.name),
        study=name,
        protocol=chosen.signature,
        column=tuple(f"metric_score={each}" for each in scored),
    )
    title = f"{phase.challenge.title}, {phase.title}: people and metrics"[:200]
    facts = TableFacts(title=title, source=f"human studies and scores of {phase.challenge.slug}, phase {phase.slug}")
    higher = dict(zip(scored, (each.higher_is_better for each in judged.board.columns), strict=True))
    try:
        record = build_dataset(options, read_any_records(file), files=[file], reference_files=[], facts=facts)
        scores = [replace(each, higher_is_better=higher[each.metric]) for each in record.scores]
        write_dataset(replace(record, scores=scores), now=now, owner=owner, actor=actor)
    except ImportFailed as error:
        raise ChallengeRefused(str(error)) from error
    return Study.objects.get(name=name)


def _load(phase: Phase, *, now: datetime) -> _Judged:
    board = load_board(phase)
    found = [find_human_column(each, now=now, wait=True).made for each in list_shown(phase)]
    columns = tuple(each for each in found if each is not None)
    on_board = [each.submission for each in board.entries]
    pks = [pk for pk in on_board if columns and all(pk in column.cells for column in columns)]
    submissions = Submission.objects.select_related("team").in_bulk(pks)
    kept = [submissions[pk] for pk in pks if pk in submissions]
    return _Judged(board, columns, dict(zip((each.pk for each in kept), name_systems(kept), strict=True)))


def _write(judged: _Judged) -> Iterator[str]:
    values = {each.submission: each.values for each in judged.board.entries}
    header = ["system", "criterion", "value", *map(name_column, judged.board.columns)]
    rows = (
        [system, str(column.criterion.name), column.cells[pk].value, *values[pk]]
        for pk, system in judged.systems.items()
        for column in judged.columns
    )
    return write_csv(header, rows, guards=False)

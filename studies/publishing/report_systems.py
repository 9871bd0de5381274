"""The ranking of a study's systems in a frozen report: its section of the page, and its files."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from correlation.errors import CorrelationInputError
from studies.analysis.systems import files
from studies.analysis.systems.files import explain, list_cautions, list_records, make_file
from studies.analysis.systems.page import ShownRanking, arrange_rankings
from studies.analysis.systems.ranking import StudyRanking, rank_study
from studies.models import Study
from studies.shared.schemas import adapt

FACT: Final = "systems"
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "systems-table": files.PARTS[files.TABLE],
    "systems-differences": files.PARTS[files.DIFFERENCES],
    "systems-forest": files.PARTS[files.FOREST],
    "systems-forest-narrow": ("svg",),
}
"""Part -> its file formats. A number after a forest plot, as in `systems-forest-1`, is the place of its criterion."""
_NAME: Final = re.compile(r"systems-(table|differences|forest)(-narrow)?(?:-([0-9]{1,2}))?")


@dataclass(frozen=True, slots=True)
class SystemsSection:
    """The section of the page: an answer, a figure and a table for each criterion, and what explains them.

    Attributes:
        kind: The kind of the study.
        parts: One for each criterion.
        cautions, told: Sentences without their full stop, to be read before and after the numbers.
        signatures: All choices behind the numbers.
    """

    kind: str
    parts: tuple[ShownRanking, ...]
    cautions: tuple[str, ...]
    told: tuple[str, ...]
    signatures: tuple[str, ...]


def freeze_ranking(study: Study) -> dict[str, Any] | None:
    """Return the ranking of a study's systems as JSON; None if there are fewer than two systems with judgments."""
    try:
        return list_records(rank_study(study))
    except CorrelationInputError:
        return None


def arrange_section(facts: Mapping[str, Any]) -> SystemsSection | None:
    """Return the section of a report, from the facts frozen with it; None if it ranks no systems."""
    found = _read_ranking(facts)
    if found is None:
        return None
    signatures = tuple(dict.fromkeys(each.signature for each in found.rankings))
    return SystemsSection(found.kind, arrange_rankings(found), list_cautions(found), explain(found), signatures)


def write_systems(facts: Mapping[str, Any], part: str, file_format: str) -> bytes:
    """Return a table or a figure as a file.

    Raises:
        CorrelationInputError: There is no such file, or the report ranks no systems.
    """
    found, name = _read_ranking(facts), _NAME.fullmatch(part)
    is_known = name is not None and file_format in PARTS.get(f"systems-{name[1]}{name[2] or ''}", ())
    if name is None or not is_known or (name[3] and name[1] != files.FOREST):
        raise CorrelationInputError(f"there is no {part}.{file_format}")
    if found is None:
        raise CorrelationInputError("the report ranks no systems")
    # The page of the figure has its title in a heading.
    is_shown = file_format == "svg" and name[1] == files.FOREST
    size = "narrow" if name[2] else "wide"
    return make_file(found, name[1], file_format, place=int(name[3] or 0), size=size, has_title=not is_shown)


def list_systems_files(facts: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the tables as files of a bundle; none if the report ranks no systems."""
    if not facts.get(FACT):
        return {}
    return {
        f"report/{part}.{each}": write_systems(facts, part, each)
        for part in ("systems-table", "systems-differences")
        for each in PARTS[part]
    }


def _read_ranking(facts: Mapping[str, Any]) -> StudyRanking | None:
    found: StudyRanking | None = adapt(StudyRanking).validate_python(facts[FACT]) if facts.get(FACT) else None
    return found

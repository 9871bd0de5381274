"""Reads the metric scores of a folder or zip in mt-metrics-eval's layout, as this platform exports it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from studies.datasets.importing.files.archives import SourceArchive
from studies.datasets.importing.values import read_number
from studies.datasets.mtme_layout import PAIR, Place, list_clashes, number_places, place_captions, rename_systems
from studies.models import Candidate, Study
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile, read_file

_SOURCES: Final = re.compile(r"(|.*/)sources/([^/]+)\.txt")
_SEGMENTS: Final = ".seg.score"
_SYSTEMS: Final = ".sys.score"
_MISSING: Final = ("None", "nan", "NaN", "")


@dataclass(frozen=True, slots=True)
class MetricScores:
    """The scores of one metric by primary key of the candidates, and the name of its file."""

    metric: str
    file: str
    values: Mapping[int, float]


def is_mtme(path: Path) -> bool:
    """Whether a file of scores is a folder or archive of mt-metrics-eval."""
    return path.is_dir() or path.suffix.lower() == ".zip"


def read_mtme(study: Study, path: Path) -> list[MetricScores]:
    """Return the scores of each metric in `metric-scores`; segments are found by the image keys in `sources`.

    A metric with scores of systems alone gives them to all captions of the system. A metric with scores under several
    references is as many metrics, and keeps the references in its names.

    Raises:
        ImportFailed: There are no such files, or a line names a segment or system that the study does not have.
    """
    files = _list_files(path)
    prefix, pair = _find_folder(files, name=path.name)
    sources = _read(path, files[f"{prefix}sources/{pair}.txt"]).decode().splitlines()
    rows = Candidate.objects.filter(dataset=study.dataset_id).order_by("pk")
    by_system = place_captions(rows.values_list("pk", "image__key", "system__name"))
    if clashes := list_clashes(by_system):
        rule = "must be for a study whose systems have different names in mt-metrics-eval"
        raise ImportFailed(path.name, rule, got=Unquoted(", ".join(clashes)))
    captions = rename_systems(by_system)
    places = number_places(sources)
    folder = f"{prefix}metric-scores/{pair}/"
    found = []
    for name in sorted(files):
        if not name.startswith(folder) or not name.endswith((_SEGMENTS, _SYSTEMS)):
            continue
        stem = name.removeprefix(folder).removesuffix(_SEGMENTS).removesuffix(_SYSTEMS)
        if name.endswith(_SYSTEMS) and f"{folder}{stem}{_SEGMENTS}" in files:
            continue
        file = _read(path, files[name])
        lines = _read_lines(file, captions)
        values = (
            _match_segments(file, lines, captions, places) if name.endswith(_SEGMENTS) else _spread(lines, captions)
        )
        found.append(MetricScores(stem, file.name, values))
    if not found:
        raise ImportFailed(path.name, f"must hold files *{_SEGMENTS} or *{_SYSTEMS} in metric-scores/{pair}")
    return _shorten_names(found)


def _shorten_names(found: Sequence[MetricScores]) -> list[MetricScores]:
    """Return the metrics without the part after the last dash, which names the references, where one name is enough."""
    short = [each.metric.rpartition("-")[0] or each.metric for each in found]
    return [
        replace(each, metric=name) if short.count(name) == 1 else each for each, name in zip(found, short, strict=True)
    ]


def choose_metrics(found: Sequence[MetricScores], names: Sequence[str], *, source: str) -> list[MetricScores]:
    """Return the metrics of these names, all without names; raise ImportFailed for one that is not there."""
    for name in names:
        if name not in {each.metric for each in found}:
            known = ", ".join(each.metric for each in found)
            raise ImportFailed(source, f"must have a metric {name}", got=Unquoted(known))
    return [each for each in found if not names or each.metric in names]


def _list_files(path: Path) -> dict[str, Path | str]:
    """Return the files by name, with `/` between folders: a path, or the member of an archive."""
    if path.is_dir():
        root = path.resolve()
        files = [each for each in root.rglob("*") if each.is_file() and each.resolve().is_relative_to(root)]
        return {each.relative_to(root).as_posix(): each for each in files}
    return {name: name for name in SourceArchive.open(path).names}


def _read(path: Path, file: Path | str) -> SourceFile:
    return read_file(file) if isinstance(file, Path) else SourceArchive.open(path).read([file])[0]


def _find_folder(files: Mapping[str, object], *, name: str) -> tuple[str, str]:
    """Return what the names of the files of the only test set begin with, and its language pair."""
    found = [match for file in files if (match := _SOURCES.fullmatch(file))]
    if len(found) != 1:
        raise ImportFailed(name, f"must hold one file sources/{PAIR}.txt", got=Unquoted(f"{len(found)}"))
    return found[0][1], found[0][2]


def _read_lines(
    file: SourceFile, captions: Mapping[str, Mapping[Place, int]]
) -> dict[str, list[tuple[float | None, SourceLocation]]]:
    """Return the scores of each system, in order; None where one is missing."""
    found: dict[str, list[tuple[float | None, SourceLocation]]] = {}
    for number, line in enumerate(file.decode().splitlines(), start=1):
        location = SourceLocation(file.name, f"line {number}")
        system, tab, text = line.partition("\t")
        if not tab:
            raise ImportFailed(location, "must be a system and a score, separated by a tab", got=line)
        if system not in captions:
            raise ImportFailed(location, "must be of a system of the study", got=system)
        found.setdefault(system, []).append((None if text in _MISSING else read_number(text, location), location))
    return found


def _match_segments(
    file: SourceFile,
    lines: Mapping[str, Sequence[tuple[float | None, SourceLocation]]],
    captions: Mapping[str, Mapping[Place, int]],
    places: Sequence[Place],
) -> dict[int, float]:
    values: dict[int, float] = {}
    for system, scores in lines.items():
        if len(scores) != len(places):
            rule = f"must have a line for each of the {len(places)} segments of system {system}"
            raise ImportFailed(file.name, rule, got=Unquoted(f"{len(scores)}"))
        for place, (value, location) in zip(places, scores, strict=True):
            if place not in captions[system]:
                rule = f"must be of a caption that {system} has in the study (number {place[1] + 1} of the image)"
                raise ImportFailed(location, rule, got=place[0])
            if value is not None:
                values[captions[system][place]] = value
    return values


def _spread(
    lines: Mapping[str, Sequence[tuple[float | None, SourceLocation]]], captions: Mapping[str, Mapping[Place, int]]
) -> dict[int, float]:
    return {
        pk: value for system, ((value, _), *_) in lines.items() if value is not None for pk in captions[system].values()
    }

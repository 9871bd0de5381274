"""Export to mt-metrics-eval: captions are outputs, images are sources, and people and metrics give scores.

The layout is the toolkit's (github.com/google-research/mt-metrics-eval, "File organization"): one line per segment;
score files have a block of lines per system. A segment is the n-th caption of an image, if every system wrote one.
"""

import io
import math
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Sum

from studies.datasets.mtme_layout import PAIR, clean_name, join_lines, list_clashes, place_captions
from studies.enums import TaskKind
from studies.models import Candidate, Reference, Study
from studies.publishing.exporting.scores import ScoreColumn, load_columns, name_columns
from studies.shared.counted import select_counted
from studies.shared.errors import Refusal

_TIME: Final = (1980, 1, 1, 0, 0, 0)


class CannotExport(Refusal):
    """The study has no data for the format; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class _Segments:
    """Segments by image key and position, and the candidates of each system; all of the same length."""

    places: tuple[tuple[str, int], ...]
    outputs: Mapping[str, tuple[int, ...]]
    n_left_out: int


def write_mtme(study: Study) -> bytes:
    """Return the zip of a study: human scores are mean judgments, of pairs the mean of wins (+1) and defeats (-1).

    Scores in which less is better are negated, because for the toolkit more is always better.

    Raises:
        CannotExport: Captions are not judged one by one or in pairs, systems share no segment, or two systems or
            metrics get one name.
    """
    if study.kind in (TaskKind.SET_RATING, TaskKind.CAPTION):
        raise CannotExport("mt-metrics-eval needs scores of single captions, but this study has none")
    texts = _read_texts(study)
    segments = _find_segments(texts)
    if not segments.places:
        raise CannotExport("no image has a caption by every system, so the systems have no segments in common")
    files = dict(_list_texts(study, segments, texts))
    files |= _list_scores(
        "human-scores",
        f"{PAIR}.{'computed-truth' if study.is_computed else 'judgments'}",
        segments,
        _average_judgments(study),
    )
    left_out, negated = [], []
    columns = load_columns(study)
    for column, name in zip(columns, name_columns(columns), strict=True):
        # Subtract from zero, so that no score becomes -0.0.
        scores = {
            pk: value if column.higher_is_better else 0.0 - value
            for pks in segments.outputs.values()
            for pk in pks
            if (value := column.find(pk)) is not None
        }
        if len(scores) < sum(map(len, segments.outputs.values())) or any(map(math.isnan, scores.values())):
            left_out.append(name)
            continue
        found = _list_scores(
            f"metric-scores/{PAIR}", f"{clean_name(name)}-{_name_references(column)}", segments, scores
        )
        if not files.keys().isdisjoint(found):
            raise CannotExport(f"metric {name} has the name of another metric when dots and dashes are replaced")
        files |= found
        if not column.higher_is_better:
            negated.append(name)
    files["README.txt"] = _tell(study, segments, left_out, negated)
    return _pack({f"{study.name}/{name}": content for name, content in files.items()})


def _read_texts(study: Study) -> dict[int, tuple[str, str, str]]:
    rows = Candidate.objects.filter(dataset=study.dataset_id).order_by("pk")
    found = rows.values_list("pk", "image__key", "system__name", "text")
    return {pk: (image, system, text) for pk, image, system, text in found.iterator(chunk_size=2000)}


def _find_segments(texts: Mapping[int, Sequence[str]]) -> _Segments:
    by_system = place_captions((pk, image, system) for pk, (image, system, _) in texts.items())
    first = next(iter(by_system.values()), {})
    shared = [place for place in first if all(place in own for own in by_system.values())]
    # The segments of one image must be adjacent: they form a document.
    shared.sort()
    everywhere = {place for own in by_system.values() for place in own}
    if clashes := list_clashes(by_system):
        raise CannotExport(
            f"systems have the same name when spaces, dots and dashes are replaced: {', '.join(clashes)}"
        )
    outputs = {clean_name(system): tuple(own[place] for place in shared) for system, own in by_system.items()}
    return _Segments(tuple(shared), outputs, len(everywhere) - len(shared))


def _list_texts(study: Study, segments: _Segments, texts: Mapping[int, Sequence[str]]) -> Iterator[tuple[str, str]]:
    yield f"sources/{PAIR}.txt", _join(image for image, _ in segments.places)
    yield f"documents/{PAIR}.docs", _join(f"captions {clean_name(image)}" for image, _ in segments.places)
    references: dict[str, list[str]] = {}
    rows = Reference.objects.filter(image__dataset=study.dataset_id).order_by("image_id", "position")
    for image, text in rows.values_list("image__key", "text"):
        references.setdefault(image, []).append(text)
    fewest = min((len(references.get(image, ())) for image, _ in segments.places), default=0)
    for number in range(fewest):
        yield f"references/{PAIR}.ref{number + 1}.txt", _join(references[image][number] for image, _ in segments.places)
    for system, pks in segments.outputs.items():
        yield f"system-outputs/{PAIR}/{system}.txt", _join(texts[pk][2] for pk in pks)


def _average_judgments(study: Study) -> dict[int, float]:
    """Return the mean judgment of each candidate; a choice counts +1 for one caption and -1 for the other."""
    given = select_counted(study).filter(value__isnull=False)
    sums: dict[int, list[float]] = {}
    for path, sign in (("item__candidate", 1), ("item__other_candidate", -1)):
        rows = given.exclude(**{path: None}).values_list(path).annotate(total=Sum("value"), n=Count("pk"))
        for pk, total, n in rows:
            found = sums.setdefault(pk, [0.0, 0.0])
            found[0] += sign * total
            found[1] += n
    return {pk: total / n for pk, (total, n) in sums.items()}


def _list_scores(folder: str, name: str, segments: _Segments, scores: Mapping[int, float]) -> dict[str, str]:
    by_segment, by_system = [], []
    for system, pks in segments.outputs.items():
        values = [scores.get(pk) for pk in pks]
        by_segment += [f"{system}\t{value!r}" for value in values]
        known = [value for value in values if value is not None]
        by_system.append(f"{system}\t{math.fsum(known) / len(known) if known else None!r}")
    return {f"{folder}/{name}.seg.score": _join(by_segment), f"{folder}/{name}.sys.score": _join(by_system)}


def _name_references(column: ScoreColumn) -> str:
    return "all" if column.references else "src"


def _tell(study: Study, segments: _Segments, left_out: Sequence[str], negated: Sequence[str]) -> str:
    lines = [
        f"Study {study.name} for mt-metrics-eval: {len(segments.places)} segments, {len(segments.outputs)} systems.",
        f"Segments excluded because not all systems have them: {segments.n_left_out}.",
        f"Metrics excluded because a score is missing or undefined: {', '.join(left_out) or 'none'}.",
        f"Metrics where lower is better, with their scores negated: {', '.join(negated) or 'none'}.",
    ]
    return _join(lines)


def _join(lines: Iterable[str]) -> str:
    # Replace every kind of line break inside a text, so that each segment is one line.
    return "".join(join_lines(line) + "\n" for line in lines)


def _pack(files: Mapping[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in sorted(files.items()):
            member = zipfile.ZipInfo(name, date_time=_TIME)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, text)
    return target.getvalue()

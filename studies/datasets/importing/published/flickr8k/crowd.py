"""Flickr8k-CF: three to six crowd votes on whether a caption of another image fits an image."""

from typing import Final

from studies.datasets.importing.files.lines import SourceLine, read_lines
from studies.datasets.importing.files.opening import open_folder
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.published.flickr8k.captions import CAPTIONS, build_dataset, read_captions, read_rows
from studies.datasets.importing.records import DatasetRecord, JudgmentRecord, StudyRecord, name_votes
from studies.datasets.importing.values import read_count, read_number
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed

_VOTES: Final = "CrowdFlowerAnnotations.txt"
_COLUMNS: Final = ("image", "caption id", "share of yes", "number of yes", "number of no")
_TITLE: Final = "Flickr8k-CF"
_MOST_VOTES: Final = 1_000
# The published shares have 15 digits.
_ROUNDING: Final = 1e-9
_DESIGN: Final = StudyDesign(
    question="Does the caption describe the image, possibly with minor mistakes?",
    scale=(ScalePoint(0, "no"), ScalePoint(1, "yes")),
    raters_per_task=3,
)


def read_flickr8k_cf(options: ImportOptions) -> DatasetRecord:
    """Read CrowdFlowerAnnotations.txt, `IMAGE<tab>CAPTION_ID<tab>share<tab>yes<tab>no`, and the captions that it names.

    The raters are unknown: `vote-1`, `vote-2`, ... are the votes of a row, yes votes first.
    """
    folder = open_folder(options.source)
    files = [folder.read_one(CAPTIONS), folder.read_one(_VOTES)]
    captions = read_captions(files[0])
    rows = read_rows(read_lines(files[1], columns=_COLUMNS), captions, read_judgments=_read_judgments)
    most = max(len(item.judgments) for item in rows.items)
    study = StudyRecord(
        name=options.study or "flickr8k-cf",
        title=_TITLE,
        kind=TaskKind.RATING,
        protocol="flickr8k-cf@1",
        design=_DESIGN,
        raters=name_votes(most),
        are_placeholders=True,
        items=rows.items,
        rows_read=len(rows.items),
    )
    return build_dataset(study, rows.candidates, captions, title=_TITLE, files=files)


def _read_judgments(line: SourceLine) -> tuple[JudgmentRecord, ...]:
    yes = read_count(line.values[3], line.location.at(_COLUMNS[3]), most=_MOST_VOTES)
    no = read_count(line.values[4], line.location.at(_COLUMNS[4]), most=_MOST_VOTES)
    share = read_number(line.values[2], line.location.at(_COLUMNS[2]))
    if not yes + no:
        raise ImportFailed(line.location, "must have at least one vote, yes or no")
    if abs(share - yes / (yes + no)) > _ROUNDING:
        rule = f"must be the share of {yes} yes in {yes + no} votes"
        raise ImportFailed(line.location.at(_COLUMNS[2]), rule, got=line.values[2])
    values = [1.0] * yes + [0.0] * no
    return tuple(JudgmentRecord(rater, value) for rater, value in zip(name_votes(yes + no), values, strict=True))

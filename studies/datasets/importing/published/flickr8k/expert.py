"""Flickr8k-Expert: ratings by three experts of how well a caption of another image fits, from 1 to 4."""

from typing import Final

from studies.datasets.importing.files.lines import SourceLine, read_lines
from studies.datasets.importing.files.opening import open_folder
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.published.flickr8k.captions import CAPTIONS, build_dataset, read_captions, read_rows
from studies.datasets.importing.records import DatasetRecord, JudgmentRecord, StudyRecord
from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed

_RATINGS: Final = "ExpertAnnotations.txt"
_RATERS: Final = ("expert-1", "expert-2", "expert-3")
_COLUMNS: Final = ("image", "caption id", *_RATERS)
_TITLE: Final = "Flickr8k-Expert"
# The labels in the readme of the corpus.
_DESIGN: Final = StudyDesign(
    question="How well does the caption describe the image?",
    scale=(
        ScalePoint(1, "does not describe the image at all"),
        ScalePoint(2, "describes minor aspects of the image but does not describe the image"),
        ScalePoint(3, "almost describes the image with minor mistakes"),
        ScalePoint(4, "describes the image"),
    ),
    raters_per_task=len(_RATERS),
)
_VALUES: Final = {f"{point.value:g}": float(point.value) for point in _DESIGN.scale}


def read_flickr8k_expert(options: ImportOptions) -> DatasetRecord:
    """Read ExpertAnnotations.txt, `IMAGE<tab>CAPTION_ID<tab>e1<tab>e2<tab>e3`, and the captions that it names."""
    folder = open_folder(options.source)
    files = [folder.read_one(CAPTIONS), folder.read_one(_RATINGS)]
    captions = read_captions(files[0])
    rows = read_rows(read_lines(files[1], columns=_COLUMNS), captions, read_judgments=_read_judgments)
    study = StudyRecord(
        name=options.study or "flickr8k-expert",
        title=_TITLE,
        kind=TaskKind.RATING,
        protocol="flickr8k-expert@1",
        design=_DESIGN,
        raters=_RATERS,
        are_placeholders=False,
        items=rows.items,
        rows_read=len(rows.items),
    )
    return build_dataset(study, rows.candidates, captions, title=_TITLE, files=files)


def _read_judgments(line: SourceLine) -> tuple[JudgmentRecord, ...]:
    return tuple(
        JudgmentRecord(rater, _read_rating(text, line, rater=rater))
        for rater, text in zip(_RATERS, line.values[2:], strict=True)
    )


def _read_rating(text: str, line: SourceLine, *, rater: str) -> float:
    if text not in _VALUES:
        raise ImportFailed(line.location.at(rater), f"must be on the scale {', '.join(_VALUES)}", got=text)
    return _VALUES[text]

"""Tests of Flickr8k-Expert; counts are those of shared/data/flickr8k/README.md."""

from collections import Counter
from pathlib import Path

import pytest

from studies.datasets.importing.results import StudyCounts
from studies.enums import StudyState, TaskKind
from studies.models import Dataset, Image, Item, Judgment, Rater, Study
from tests.studies.datasets.importing.conftest import NOW, Import, Refuse

RATINGS = "ExpertAnnotations.txt"


def test_imports_the_whole_study(run_import: Import, data_folder: Path) -> None:
    result = run_import("flickr8k-expert", source=data_folder / "flickr8k")

    assert result.studies == (
        StudyCounts(
            study="flickr8k-expert",
            protocol="flickr8k-expert@1",
            rows_read=5_822,
            images=1_000,
            references=5_000,
            candidates=5_822,
            items=5_822,
            raters=3,
            judgments=17_466,
        ),
    )
    values = Counter(Judgment.objects.values_list("value", flat=True))
    assert values == {1.0: 9_797, 2.0: 4_997, 3.0: 1_701, 4.0: 971}
    # 158 candidates are one of their image's own references.
    references = set(Image.objects.values_list("key", "references__text"))
    shown = Item.objects.values_list("image__key", "candidate__text")
    assert sum(pair in references for pair in shown) == 158


def test_writes_a_closed_study_with_its_design(run_import: Import, flickr8k: Path) -> None:
    run_import("flickr8k-expert", source=flickr8k)

    study = Study.objects.get()
    assert (study.kind, study.state, study.protocol) == (TaskKind.RATING, StudyState.CLOSED, "flickr8k-expert@1")
    assert (study.created_at, study.started_at, study.owner) == (NOW, NOW, None)
    version = study.versions.get()
    assert version.number == 1
    assert [(point["value"], point["label"]) for point in version.design["scale"]] == [
        (1, "does not describe the image at all"),
        (2, "describes minor aspects of the image but does not describe the image"),
        (3, "almost describes the image with minor mistakes"),
        (4, "describes the image"),
    ]
    raters = Rater.objects.values_list("pseudonym", "is_placeholder")
    assert list(raters) == [("expert-1", False), ("expert-2", False), ("expert-3", False)]
    assert len(Dataset.objects.get().source_digest) == 64


def test_keeps_the_order_of_rows_and_ratings(run_import: Import, flickr8k: Path) -> None:
    run_import("flickr8k-expert", source=flickr8k)

    rows = [line.split("\t") for line in (flickr8k / RATINGS).read_text().split("\n")[:-1]]
    items = Item.objects.order_by("task__position").prefetch_related("judgments")
    assert [
        (item.key, item.candidate.key, [judgment.value for judgment in item.judgments.all()])
        for item in items.select_related("candidate")
    ] == [
        (f"{RATINGS}:{number}", f"{row[0]}|{row[1]}", [float(value) for value in row[2:]])
        for number, row in enumerate(rows, start=1)
    ]


# The third of the cut rows, as published.
ROW = "1056338697_4f7d7ce270.jpg\t3181701312_70a379ab6e.jpg#2\t1\t1\t2\n"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            ROW.replace("\t2\n", "\t5\n"),
            "ExpertAnnotations.txt, line 3, field expert-3: must be on the scale 1, 2, 3, 4, got '5'",
        ),
        (
            ROW.replace("\t2\n", "\t\n"),
            "ExpertAnnotations.txt, line 3, field expert-3: must be on the scale 1, 2, 3, 4, got ''",
        ),
        (
            ROW.replace("\t2\n", "\n"),
            "ExpertAnnotations.txt, line 3: must have 5 columns separated by tabs "
            "(image, caption id, expert-1, expert-2, expert-3), got 4",
        ),
        (
            ROW.replace("70a379ab6e.jpg#2", "70a379ab6e.jpg#7"),
            "ExpertAnnotations.txt, line 3, field caption id: must be the id of a caption in Flickr8k.token.txt, "
            "got '3181701312_70a379ab6e.jpg#7'",
        ),
        (
            ROW.replace("1056338697_4f7d7ce270.jpg", "nowhere.jpg"),
            "ExpertAnnotations.txt, line 3, field image: must be an image in Flickr8k.token.txt, got 'nowhere.jpg'",
        ),
        (
            "1056338697_4f7d7ce270.jpg\t2549968784_39bfbe44f9.jpg#2\t1\t1\t1\n",
            "ExpertAnnotations.txt, line 3: repeats the image and caption of line 1, "
            "got 1056338697_4f7d7ce270.jpg with 2549968784_39bfbe44f9.jpg#2",
        ),
        (
            "\n",
            "ExpertAnnotations.txt, line 3: must have 5 columns separated by tabs "
            "(image, caption id, expert-1, expert-2, expert-3), got 1",
        ),
    ],
    ids=["off the scale", "no rating", "a column short", "unknown caption", "unknown image", "twice", "blank line"],
)
def test_refuses_a_bad_row(refuse: Refuse, flickr8k: Path, changed: str, message: str) -> None:
    path = flickr8k / RATINGS
    text = path.read_text()
    assert ROW in text
    path.write_text(text.replace(ROW, changed))

    assert refuse("flickr8k-expert", source=flickr8k) == message


@pytest.mark.parametrize("n_bytes", [1, 2, 3, 10, 40])
def test_refuses_a_last_line_cut_short(refuse: Refuse, flickr8k: Path, n_bytes: int) -> None:
    path = flickr8k / RATINGS
    content = path.read_bytes()
    path.write_bytes(content[:-n_bytes])

    message = refuse("flickr8k-expert", source=flickr8k)
    assert message.startswith(
        "ExpertAnnotations.txt, line 12: is truncated: the last line must end with a line break, got '"
    )


def test_accepts_windows_line_ends(run_import: Import, flickr8k: Path) -> None:
    path = flickr8k / RATINGS
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    assert run_import("flickr8k-expert", source=flickr8k).studies[0].judgments == 36

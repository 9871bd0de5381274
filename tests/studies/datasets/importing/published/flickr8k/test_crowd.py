"""Tests of Flickr8k-CF; counts are those of shared/data/flickr8k/README.md."""

from collections import Counter
from pathlib import Path

import pytest
from django.db.models import Count, Sum

from studies.datasets.importing.results import StudyCounts
from studies.models import Item, Judgment, Rater, Study
from tests.studies.datasets.importing.conftest import Import, Refuse


def test_imports_the_whole_study(run_import: Import, data_folder: Path) -> None:
    result = run_import("flickr8k-cf", source=data_folder / "flickr8k")

    assert result.studies == (
        StudyCounts(
            study="flickr8k-cf",
            protocol="flickr8k-cf@1",
            rows_read=47_830,
            images=1_000,
            references=5_000,
            candidates=47_830,
            items=47_830,
            raters=6,
            judgments=144_860,
        ),
    )
    votes = Counter(Item.objects.annotate(votes=Count("judgments")).values_list("votes", flat=True))
    assert votes == {3: 46_780, 4: 780, 5: 220, 6: 50}
    raters = Rater.objects.values_list("pseudonym", "is_placeholder")
    assert list(raters) == [(f"vote-{number}", True) for number in range(1, 7)]


def test_votes_make_the_published_share(run_import: Import, flickr8k: Path) -> None:
    run_import("flickr8k-cf", source=flickr8k)

    items = Item.objects.annotate(yes=Sum("judgments__value"), votes=Count("judgments")).order_by("task__position")
    rows = [line.split("\t") for line in (flickr8k / "CrowdFlowerAnnotations.txt").read_text().split("\n")[:-1]]
    assert [item.yes / item.votes for item in items] == pytest.approx([float(row[2]) for row in rows])
    assert set(Judgment.objects.values_list("value", flat=True)) == {0.0, 1.0}
    assert [point["label"] for point in Study.objects.get().versions.get().design["scale"]] == ["no", "yes"]


# The first row, as published.
ROW = "1056338697_4f7d7ce270.jpg\t1056338697_4f7d7ce270.jpg#2\t1\t3\t0\n"


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        (
            "0.5\t3\t0\n",
            "CrowdFlowerAnnotations.txt, line 1, field share of yes: must be the share of 3 yes in 3 votes, got '0.5'",
        ),
        ("nan\t3\t0\n", "CrowdFlowerAnnotations.txt, line 1, field share of yes: must be a number, got 'nan'"),
        ("1\t0\t0\n", "CrowdFlowerAnnotations.txt, line 1: must have at least one vote, yes or no"),
        (
            "1\t-3\t0\n",
            "CrowdFlowerAnnotations.txt, line 1, field number of yes: must be a whole number from 0 to 1000, got '-3'",
        ),
        (
            "1\t999999999\t0\n",
            "CrowdFlowerAnnotations.txt, line 1, field number of yes: must be a whole number from 0 to 1000, "
            "got '999999999'",
        ),
    ],
    ids=["another share", "not a number", "no votes", "negative", "too many"],
)
def test_refuses_a_bad_row(refuse: Refuse, flickr8k: Path, ending: str, message: str) -> None:
    path = flickr8k / "CrowdFlowerAnnotations.txt"
    text = path.read_text()
    assert text.startswith(ROW)
    path.write_text(text.replace("1\t3\t0\n", ending, 1))

    assert refuse("flickr8k-cf", source=flickr8k) == message

"""Tests that every export contains the data of the database in the expected format."""

import csv
import json
import zipfile
from io import BytesIO, StringIO

import pyarrow.parquet as pq
import pytest

from studies.access.audit import Actor
from studies.enums import AuditAction, Interface, TaskKind
from studies.models import AuditEntry, Candidate, Image, Judgment
from studies.monitoring.exclusion import exclude_rater
from studies.publishing.exporting.coco import write_results
from studies.publishing.exporting.files import FILES, CannotExport, export_file
from studies.publishing.exporting.lines import AT_ONCE, write_jsonl, write_parquet
from tests.factories.studies import NOW, make_judgment, make_rater, make_study, make_user
from tests.studies.rated import make_rated_study, make_voted_study
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


def take(study, part, file_format, **extra):
    """Return the whole content of an export."""
    actor = Actor(user=None, interface=Interface.PAGE)
    made = export_file(study, part=part, file_format=file_format, actor=actor, now=NOW, **extra)
    return b"".join(each if isinstance(each, bytes) else each.encode() for each in made.parts)


def test_judgments_as_lines_and_as_parquet_agree():
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=2)
    rater = make_rater(study, "K7QX", identity_hash="a1b2c3d4")
    first, second = list_items(study)
    make_judgment(first, rater, -1.0, answer={"choice": "right, é"}, elapsed_ms=1500)
    make_judgment(second, rater, 0.1)

    lines = [json.loads(line) for line in take(study, "judgments", "jsonl").splitlines()]
    table = pq.read_table(BytesIO(take(study, "judgments", "parquet"))).to_pylist()

    assert lines[0] == {
        "study": "study",
        "task": 0,
        "item": "item-0",
        "category": "",
        "image": "image-0",
        "anchor": None,
        "system": "first",
        "candidate": "A caption by first of image 0.",
        "candidate_key": "first-0",
        "other_system": "second",
        "other_candidate": "A caption by second of image 0.",
        "other_candidate_key": "second-0",
        "rater": "K7QX",
        "value": -1.0,
        "excluded": False,
        "surplus": False,
        "answer": {"choice": "right, é"},
        "shown": None,
        "elapsed_ms": 1500,
        "created_at": NOW.isoformat(),
    }
    assert lines[1]["value"] == 0.1
    for line, row in zip(lines, table, strict=True):
        row["created_at"] = row["created_at"].isoformat()
        row["answer"] = json.loads(row["answer"])
        assert row == line


def test_sets_are_lists_of_captions():
    study = make_study(kind=TaskKind.SET_RATING, n_tasks=1)
    make_judgment(list_items(study)[0], make_rater(study), 0.3)

    (row,) = pq.read_table(BytesIO(take(study, "judgments", "parquet"))).to_pylist()

    assert row["candidates"] == ["A caption by first of image 0."]


def test_parquet_is_written_group_by_group():
    rows = ([number, f"text {number}"] for number in range(AT_ONCE * 2 + 1))

    parts = list(write_parquet({"number": "int", "text": "text"}, rows))

    file = pq.ParquetFile(BytesIO(b"".join(parts)))
    assert (len(parts), file.num_row_groups, file.metadata.num_rows) == (4, 3, 2 * AT_ONCE + 1)
    assert file.read().column("text")[2 * AT_ONCE].as_py() == f"text {2 * AT_ONCE}"


def test_an_empty_export_is_a_valid_file():
    assert list(write_jsonl(("a",), [])) == []
    table = pq.read_table(BytesIO(b"".join(write_parquet({"a": "float"}, []))))
    assert (table.num_rows, table.column_names) == (0, ["a"])


def test_scores_have_every_metric_and_every_bit():
    study = make_rated_study(n_items=3)

    rows = list(csv.DictReader(StringIO(take(study, "scores", "csv").decode())))
    lines = [json.loads(line) for line in take(study, "scores", "jsonl").splitlines()]
    table = pq.read_table(BytesIO(take(study, "scores", "parquet"))).to_pylist()

    assert list(rows[0]) == ["key", "image", "system", "length", "rouge-l"]
    assert (rows[0]["key"], rows[0]["image"], rows[0]["system"], rows[0]["length"]) == (
        "first-0",
        "image-0",
        "first",
        "2.0",
    )
    assert lines == table
    assert [float(row["rouge-l"]) for row in rows] == [row["rouge-l"] for row in table]
    assert len(rows) == 6


def test_scores_of_a_study_without_any_are_its_captions():
    rows = take(make_rated_study(n_items=1, score=False), "scores", "csv").decode().splitlines()

    assert rows == ["key,image,system", "first-0,image-0,first", "second-0,image-0,second"]


def test_candidates_are_results_of_coco():
    study = make_study(n_tasks=1)
    Image.objects.update(key="391895")

    everything = json.loads(take(study, "candidates", "json"))
    of_one = json.loads(take(study, "candidates", "json", system="second"))

    assert everything == [
        {"image_id": 391895, "caption": "A caption by first of image 0.", "system": "first"},
        {"image_id": 391895, "caption": "A caption by second of image 0.", "system": "second"},
    ]
    assert of_one == [{"image_id": 391895, "caption": "A caption by second of image 0."}]
    assert json.loads("".join(write_results(study, system="nobody"))) == []


def read_zip(content):
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return {name.partition("/")[2]: archive.read(name).decode() for name in archive.namelist()}


def test_mt_metrics_eval_has_its_files():
    study = make_rated_study(n_items=2, n_raters=2)
    Candidate.objects.filter(key="second-1").update(text="two\nlines")
    Judgment.objects.filter(item__candidate__key="first-0").update(value=3.0)
    Judgment.objects.filter(item__candidate__key="first-1").update(value=2.0)
    for judgment in Judgment.objects.filter(item__candidate__key="first-1", rater__pseudonym="rater-1"):
        Judgment.objects.filter(pk=judgment.pk).update(value=3.0)

    files = read_zip(take(study, "mt-metrics-eval", "zip"))

    assert files["sources/img-txt.txt"] == "image-0\nimage-1\n"
    assert files["documents/img-txt.docs"] == "captions image_0\ncaptions image_1\n"
    assert files["references/img-txt.ref1.txt"] == "A reference of image 0.\nA reference of image 1.\n"
    assert files["system-outputs/img-txt/second.txt"].splitlines()[1] == "two lines"
    assert files["human-scores/img-txt.judgments.seg.score"] == "first\t3.0\nfirst\t2.5\nsecond\tNone\nsecond\tNone\n"
    assert files["human-scores/img-txt.judgments.sys.score"] == "first\t2.75\nsecond\tNone\n"
    # Captions are 2, 2, 4 and 4 words long, in the order image by image.
    assert files["metric-scores/img-txt/length-all.seg.score"] == "first\t2.0\nfirst\t4.0\nsecond\t2.0\nsecond\t4.0\n"
    assert files["metric-scores/img-txt/length-all.sys.score"] == "first\t3.0\nsecond\t3.0\n"
    assert "2 segments, 2 systems" in files["README.txt"]


def test_choices_are_wins_and_defeats_and_the_excluded_count_for_nothing():
    study = make_voted_study(n_items=1, n_raters=3, score=False)
    values = {"rater-0": 1.0, "rater-1": 1.0, "rater-2": -1.0}
    for name, value in values.items():
        Judgment.objects.filter(rater__pseudonym=name).update(value=value)

    scores = read_zip(take(study, "mt-metrics-eval", "zip"))["human-scores/img-txt.judgments.seg.score"]
    assert scores == f"first\t{1 / 3!r}\nsecond\t{-1 / 3!r}\n"

    exclude_rater(study.raters.get(pseudonym="rater-2"), reason="too fast", now=NOW)
    scores = read_zip(take(study, "mt-metrics-eval", "zip"))["human-scores/img-txt.judgments.seg.score"]
    assert scores == "first\t1.0\nsecond\t-1.0\n"


def test_what_does_not_fit_is_refused():
    with pytest.raises(CannotExport, match="needs scores of single captions"):
        take(make_study(kind=TaskKind.SET_RATING), "mt-metrics-eval", "zip")
    study = make_study("apart", n_tasks=1)
    Candidate.objects.filter(key="second-0").update(image=Image.objects.create(dataset=study.dataset, key="other"))
    with pytest.raises(CannotExport, match="no image has a caption by every system"):
        take(study, "mt-metrics-eval", "zip")


def test_what_is_taken_home_is_written_down():
    study, person = make_study(), make_user("analyst")

    export_file(study, part="scores", file_format="csv", actor=Actor(user=person, interface=Interface.PAGE), now=NOW)

    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.details) == (AuditAction.EXPORTED, person, {"file": "scores.csv"})


@pytest.mark.parametrize(("part", "file_format"), FILES)
def test_every_export_is_downloaded_from_the_page(client, part, file_format):
    study = make_rated_study(n_items=2)
    study.owner = make_user("owner")
    study.save()
    client.force_login(study.owner)

    page = client.get("/studies/rated/reports/").content.decode()
    response = client.get(f"/studies/rated/exports/{part}.{file_format}")

    assert f'href="/studies/rated/exports/{part}.{file_format}"' in page
    assert response.headers["Content-Disposition"] == f'attachment; filename="rated-{part}.{file_format}"'
    assert response.getvalue()
    assert client.get(f"/studies/rated/exports/{part}.docx").status_code == 404

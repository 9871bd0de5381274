import csv
import json
from io import StringIO

import numpy as np
import pytest

from correlation.defaults import explain_few
from studies.analysis.results import StudyResults, load_results
from studies.analysis.scatter.points import ScatterPoints, write_points
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.enums import TaskKind
from studies.models import Candidate, Item, Judgment, Reference, Study
from studies.monitoring.exclusion import exclude_rater, lift_exclusion
from studies.publishing.exports import join_lines, write_judgments, write_results_csv, write_results_json
from tests.factories.studies import NOW, make_judgment, make_rater, make_study
from tests.studies.scored import list_items, make_scored_study


def _read(lines):
    return list(csv.DictReader(StringIO("".join(lines))))


@pytest.mark.django_db
def test_write_judgments_holds_pseudonyms_and_nothing_else_of_a_person():
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=1)
    rater = make_rater(study, "K7QX", identity_hash="a1b2c3d4")
    make_judgment(list_items(study)[0], rater, -1.0, answer={"choice": "right, é"}, elapsed_ms=1500)
    make_judgment(list_items(make_study("other"))[0], make_rater(make_study("third")))

    rows = _read(write_judgments(study))

    assert rows == [
        {
            "study": "study",
            "task": "0",
            "item": "item-0",
            "category": "",
            "image": "image-0",
            "anchor": "",
            "system": "first",
            "candidate": "A caption by first of image 0.",
            "candidate_key": "first-0",
            "other_system": "second",
            "other_candidate": "A caption by second of image 0.",
            "other_candidate_key": "second-0",
            "rater": "K7QX",
            "excluded": "0",
            "surplus": "0",
            "value": "-1.0",
            "answer": '{"choice":"right, é"}',
            "shown": "",
            "elapsed_ms": "1500",
            "created_at": NOW.isoformat(),
        }
    ]


@pytest.mark.django_db
def test_judgments_of_excluded_raters_are_there_and_marked():
    study = make_study(n_tasks=1)
    one, other = make_rater(study, "K7QX"), make_rater(study, "B2MN")
    for rater in (one, other):
        make_judgment(list_items(study)[0], rater, 2.0)
        exclude_rater(rater, reason="too fast", now=NOW)
    lift_exclusion(other, now=NOW)

    assert [(row["rater"], row["excluded"]) for row in _read(write_judgments(study))] == [("K7QX", "1"), ("B2MN", "0")]


@pytest.mark.django_db
def test_surplus_judgments_are_there_and_marked_as_such_and_as_left_out():
    study = make_study(n_tasks=1)
    for name, since in (("K7QX", NOW), ("B2MN", None)):
        make_judgment(list_items(study)[0], make_rater(study, name), 2.0, surplus_since=since)

    rows = [(row["rater"], row["excluded"], row["surplus"]) for row in _read(write_judgments(study))]

    assert rows == [("K7QX", "1", "1"), ("B2MN", "0", "0")]


@pytest.mark.django_db
def test_text_is_guarded_and_as_it_was_given_for_programs():
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=1)
    (item,) = list_items(study)
    Candidate.objects.filter(pk=item.candidate_id).update(text="=1+1")
    Candidate.objects.filter(pk=item.other_candidate_id).update(text="A dog = a friend")
    make_judgment(item, make_rater(study), -1.0)

    (raw,), (guarded,) = (_read(write_judgments(study, guards=asked)) for asked in (False, True))

    assert (raw["candidate"], guarded["candidate"]) == ("=1+1", "'=1+1")
    assert {**guarded, "candidate": raw["candidate"]} == raw


@pytest.mark.django_db
@pytest.mark.parametrize("n_judgments", [1, 3])
def test_write_judgments_takes_one_query(n_judgments, django_assert_num_queries):
    study = make_study(n_tasks=3)
    rater = make_rater(study)
    for item in list_items(study)[:n_judgments]:
        make_judgment(item, rater)

    with django_assert_num_queries(1):
        rows = _read(write_judgments(study))

    assert len(rows) == n_judgments


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (TaskKind.RATING, (4.0, 1.0, 2.0)),
        (TaskKind.PAIRWISE, (1.0, -1.0, 0.0)),
        (TaskKind.TURING, (1.0, 0.0, 1.0)),
        (TaskKind.BEST_WORST, (1.0, -1.0, 0.0)),
    ],
)
def test_exported_judgments_can_be_imported_again(tmp_path, kind, values):
    study = make_study(kind=kind, n_tasks=2)
    first, second = list_items(study)
    Candidate.objects.filter(pk=first.candidate_id).update(text='He said "a, b"\nand left.')
    Item.objects.filter(pk=second.pk).update(category="HC")
    one, other = make_rater(study, "K7QX"), make_rater(study, "B2MN")
    for item, rater, value in zip((first, first, second), (one, other, one), values, strict=True):
        make_judgment(item, rater, value)
    path = tmp_path / "again.csv"
    path.write_text("".join(write_judgments(study, guards=False)), encoding="utf-8", newline="")

    result = import_data("table", options=ImportOptions(path), now=NOW)

    (counts,) = result.studies
    n_candidates = 4 if kind == TaskKind.PAIRWISE else 2
    assert (counts.rows_read, counts.images, counts.candidates) == (3, 2, n_candidates)
    assert (counts.items, counts.raters, counts.judgments) == (2, 2, 3)
    again = Study.objects.get(name="again")
    # A table says nothing of a page: judgments on single captions come back as ratings.
    assert again.kind == (TaskKind.PAIRWISE if kind == TaskKind.PAIRWISE else TaskKind.RATING)
    assert _list_judged(again) == _list_judged(study)


@pytest.mark.django_db
def test_pairs_that_differ_by_their_anchor_alone_can_be_imported_again(tmp_path):
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=2)
    first, second = list_items(study)
    same = {name: getattr(first, name) for name in ("image_id", "candidate_id", "other_candidate_id")}
    anchors = [Reference.objects.create(image=first.image, position=1 + n, text=f"anchor {n}") for n in range(2)]
    Item.objects.filter(pk=second.pk).update(**same, anchor=anchors[1])
    Item.objects.filter(pk=first.pk).update(anchor=anchors[0])
    rater = make_rater(study)
    make_judgment(first, rater, 1.0)
    make_judgment(second, rater, -1.0)
    path = tmp_path / "again.csv"
    path.write_text("".join(write_judgments(study, guards=False)), encoding="utf-8", newline="")

    import_data("table", options=ImportOptions(path), now=NOW)

    judged = Judgment.objects.filter(rater__study__name="again").order_by("pk")
    assert list(judged.values_list("item__anchor__text", "value")) == [("anchor 0", 1.0), ("anchor 1", -1.0)]
    assert _list_judged(Study.objects.get(name="again")) == _list_judged(study)


def _list_judged(study):
    fields = ("image__key", "category", "candidate__text", "candidate__system__name")
    others = ("other_candidate__text", "other_candidate__system__name")
    judged = [f"item__{name}" for name in fields + others]
    return list(Judgment.objects.filter(rater__study=study).order_by("pk").values_list(*judged, "value"))


@pytest.mark.django_db
def test_judgment_on_a_set_has_the_captions_of_the_set():
    study = make_study(kind=TaskKind.SET_RATING, n_tasks=1)
    make_judgment(list_items(study)[0], make_rater(study), 0.3)

    (row,) = _read(write_judgments(study))

    assert (row["image"], row["system"], row["value"]) == ("image-0", "first", "0.3")
    assert json.loads(row["candidates"]) == ["A caption by first of image 0."]
    assert "candidate" not in row


@pytest.mark.django_db
def test_written_caption_is_exported_without_a_value():
    study = make_study(kind=TaskKind.CAPTION, n_tasks=1)
    answer = {"caption": 'A sign says "stop".', "warnings": ["speech"]}
    make_judgment(list_items(study)[0], make_rater(study), None, answer=answer)

    (row,) = _read(write_judgments(study))

    assert (row["image"], row["caption"], row["value"]) == ("image-0", 'A sign says "stop".', "")
    assert json.loads(row["answer"]) == answer
    assert {"candidate", "system"} & set(row) == set()


@pytest.mark.django_db
def test_results_as_csv_and_json_agree():
    results = load_results(make_scored_study(values=(1, 2, 3)))

    as_json = json.loads("".join(write_results_json(results)))
    as_csv = _read(write_results_csv(results))

    assert [row["metric"] for row in as_json] == ["length", "rouge-l"]
    assert as_json[0] == {
        "study": "study",
        "protocol": "flickr8k-expert@1",
        "metric": "length",
        "coefficient": "kendall-c",
        "level": "item",
        "category": None,
        "value": 1.0,
        "low": None,
        "high": None,
        "n": 3,
        "n_missing": 0,
        "p_value": None,
        "caution": explain_few(3, "images"),
        "signature": results.found.signatures["length"],
    }
    assert as_csv == [{name: "" if value is None else str(value) for name, value in row.items()} for row in as_json]


def test_results_of_nothing():
    assert "".join(write_results_json(StudyResults())) == "[]"
    assert _read(write_results_csv(StudyResults())) == []


def test_write_points():
    points = ScatterPoints(np.asarray(["a", "b"]), np.asarray([1.0, 2.5]), np.asarray([0.1, 1 / 3]), "people", "metric")

    assert _read(write_points(points)) == [
        {"item": "a", "judgment": "1.0", "score": "0.1"},
        {"item": "b", "judgment": "2.5", "score": "0.3333333333333333"},
    ]


def test_lines_are_joined_and_nothing_is_lost():
    lines = [f"{number}\n" for number in range(1201)]

    parts = list(join_lines(lines))

    assert [part.count("\n") for part in parts] == [500, 500, 201]
    assert "".join(parts) == "".join(lines)
    assert list(join_lines([b"PAR1", b"end"])) == [b"PAR1end"]
    assert list(join_lines([])) == []


def test_lines_are_joined_while_they_are_read():
    read = []
    parts = join_lines(str(read.append(number)) for number in range(2000))

    next(parts)

    assert len(read) == 500

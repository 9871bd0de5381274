"""Scores from files, for the dataset of tests/studies/scoring/rows.py: two systems and three images."""

import zipfile

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from metrics_plugins.api import Level
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import correlate_observations
from studies.datasets.score_files import import_score_file, read_metric_name
from studies.enums import TaskKind
from studies.models import AuditEntry, CaptionSet, Item, Run, ScoringInput, Study, StudyVersion, System
from studies.scoring.chunks import unpack_scores
from studies.scoring.stored_scores import load_external
from studies.shared.errors import ImportFailed
from tests.factories.studies import NOW, make_design
from tests.studies.preregistered import make_preregistration
from tests.studies.rated import make_rated_study, make_voted_study
from tests.studies.scoring.rows import make_rows

pytestmark = pytest.mark.django_db
METRIC = "external:their"


def write(tmp_path, text):
    path = tmp_path / "scores.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("key,their\ndog-first,1\nsea-second,2\n", [1, None, None, None, None, 2]),
        ("image,system,their\ndog,first,1\ndog,second,\n", [1, None, None, None, None, None]),
        ("image,candidate,their\nsea,water,3\n", [None, None, None, None, None, 3]),
        ("system,their\nfirst,.5\nsecond,.25\n", [0.5, 0.25] * 3),
    ],
)
def test_rows_name_captions_in_several_ways(tmp_path, text, scores):
    (found,) = import_score_file(make_rows(), write(tmp_path, text), now=NOW)

    values = [None if value != value else value for value in unpack_scores(found.run).tolist()]
    assert (values, found.n_missing) == (scores, scores.count(None))
    assert (found.run.metric, ScoringInput.objects.get().references) == ("external:their", "external")


def test_the_command_reads_columns_and_directions(tmp_path, capsys):
    make_rows()
    path = write(tmp_path, "key,a,b,remark\ndog-first,1,2,x\n")

    call_command("import_scores", "rows", str(path), "--metrics", "a,b", "--lower-is-better", "b")

    assert capsys.readouterr().out.splitlines() == [
        "external:a: 1 captions have a score, 5 have none; higher is better",
        "external:b: 1 captions have a score, 5 have none; lower is better",
    ]
    assert dict(Run.objects.values_list("metric", "higher_is_better")) == {"external:a": True, "external:b": False}
    with pytest.raises(CommandError, match=r"scores\.csv, line 2, field remark: must be a number, got 'x'"):
        call_command("import_scores", "rows", str(path))
    assert Run.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "name,a\nx,1\n",
            "scores.csv: must name captions by the columns key; item and side; item; image and system and candidate; "
            "image and system; image and candidate; system, got",
        ),
        ("key\ndog-first\n", "scores.csv: must have a column for each metric, got key"),
        ("key,a\nbird,1\n", "scores.csv, line 2, field key: must name a caption of dataset rows, got 'bird'"),
        ("key,a\n,1\n", "scores.csv, line 2, field key: must not be empty"),
        (
            "key,a\ndog-first,1\ndog-first,2\n",
            "scores.csv, line 3, field a: must be the score of an earlier row (1), got '2'",
        ),
    ],
)
def test_refuses_a_bad_file(tmp_path, text, message):
    with pytest.raises(ImportFailed) as caught:
        import_score_file(make_rows(), write(tmp_path, text), now=NOW)
    assert str(caught.value).startswith(message)
    assert Run.objects.count() == 0


def read_run(name):
    return unpack_scores(Run.objects.get(metric=f"external:{name}")).tolist()


def test_pairs_are_named_by_item_and_side(tmp_path):
    study = make_voted_study(n_items=2, score=False)
    first, second = Item.objects.order_by("pk")
    text = f"item,side,a\n{first.key},candidate,1\n{first.key},other_candidate,2\n{second.key},candidate,3\n"

    (found,) = import_score_file(study, write(tmp_path, text), now=NOW)

    rows = Item.objects.order_by("pk").values_list("candidate_id", "other_candidate_id")
    owners = np.frombuffer(ScoringInput.objects.get().row_ids, dtype="<i8").tolist()
    scores = dict(zip(owners, read_run("a"), strict=True))
    assert [scores[pk] for pks in rows for pk in pks][:3] == [1, 2, 3]
    assert found.n_missing == 1
    with pytest.raises(ImportFailed, match="needs the column side"):
        import_score_file(study, write(tmp_path, f"item,a\n{first.key},1\n"), now=NOW)


def test_caption_sets_are_named_by_key_or_image_and_system(tmp_path):
    study = make_rows(protocol="diversity@1")
    Study.objects.filter(pk=study.pk).update(kind=TaskKind.SET_RATING)
    study.refresh_from_db()

    import_score_file(study, write(tmp_path, "key,a\ndog:first,1\nsea:second,2\n"), now=NOW)
    import_score_file(study, write(tmp_path, "image,system,b\ncat,first,3\n"), now=NOW)

    stored = ScoringInput.objects.order_by("pk").values_list("level", "n_rows")
    assert list(stored) == [("set", CaptionSet.objects.count())] * 2
    assert [value for value in read_run("a") if value == value] == [1, 2]
    assert [value for value in read_run("b") if value == value] == [3]


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_exported_scores_are_read_back(tmp_path, ending):
    study = make_rated_study(n_items=4)
    path = tmp_path / f"scores{ending}"

    call_command("export_scores", "rated", "--out", str(path))
    found = import_score_file(study, path, now=NOW)

    assert [each.run.metric for each in found] == ["external:length", "external:rouge-l"]
    for each in found:
        own = Run.objects.get(metric=each.run.metric.removeprefix("external:"))
        assert unpack_scores(each.run).tolist() == unpack_scores(own).tolist()
    # Scores from outside are exported as well, and keep their names.
    call_command("export_scores", "rated", "--out", str(path))
    again = import_score_file(study, path, metrics=["external:length"], now=NOW)
    assert [each.run.metric for each in again] == ["external:length"]


def test_scores_are_printed_without_a_file(capsys):
    make_rated_study(n_items=1)

    call_command("export_scores", "rated")

    assert capsys.readouterr().out.splitlines()[0] == "key,image,system,length,rouge-l"
    with pytest.raises(CommandError, match=r"--out: must end in \.csv, \.jsonl, \.parquet, \.zip, got 'scores\.txt'"):
        call_command("export_scores", "rated", "--out", "scores.txt")


def correlate(study, metric):
    values = correlate_observations(gather_observations(study)).rows
    return [row.value for row in values if row.metric == metric]


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet", ".zip"])
def test_exported_scores_in_which_less_is_better_keep_their_direction(tmp_path, ending):
    study = make_rated_study(n_items=6)
    Run.objects.filter(metric="length").update(higher_is_better=False)
    path = tmp_path / f"scores{ending}"

    call_command("export_scores", "rated", "--out", str(path))
    found = import_score_file(study, path, now=NOW)

    lines = [str(each) for each in found]
    assert correlate(study, "length")[0] < -0.5
    assert correlate(study, "external:length") == correlate(study, "length")
    if ending == ".zip":
        # In mt-metrics-eval more is always better.
        assert read_run("length") == [-value for value in unpack_scores(Run.objects.get(metric="length"))]
        assert lines[0] == "external:length: 12 captions have a score, 0 have none; higher is better"
        with zipfile.ZipFile(path) as archive:
            assert "Metrics where lower is better, with their scores negated: length." in (
                archive.read("rated/README.txt").decode().splitlines()
            )
    else:
        assert lines == [
            "external:length: 12 captions have a score, 0 have none; lower is better, as for length",
            "external:rouge-l: 12 captions have a score, 0 have none; higher is better, as for rouge-l",
        ]


def test_the_direction_of_earlier_scores_holds_until_another_is_given(tmp_path):
    study = make_rows()

    def read(text, **options):
        (found,) = import_score_file(study, write(tmp_path, text), now=NOW, **options)
        return str(found).rpartition("; ")[2], load_external(study.dataset, level=Level.SEGMENT, metrics=[METRIC])

    first, _ = read("key,their\ndog-first,1\n")
    second, loaded = read("key,their\ndog-first,1\n", lower_is_better=["their"])
    assert (first, second) == ("higher is better", "lower is better")
    assert not loaded[METRIC].runs[METRIC].higher_is_better
    third, loaded = read("key,external:their\ndog-first,2\n")
    assert third == "lower is better, as for external:their"
    assert not loaded[METRIC].runs[METRIC].higher_is_better
    fourth, _ = read("key,their\ndog-first,3\n", higher_is_better=["their"])
    assert fourth == "higher is better"


def test_refuses_columns_that_get_one_name(tmp_path):
    study = make_rows()
    path = write(tmp_path, "key,bleu-4,external:bleu-4\ndog-first,1,2\n")

    with pytest.raises(ImportFailed) as caught:
        import_score_file(study, path, now=NOW)
    assert str(caught.value) == (
        "scores.csv: must have one column of scores for external:bleu-4 (choose one by --metrics), "
        "got bleu-4, external:bleu-4"
    )
    assert Run.objects.count() == 0
    (found,) = import_score_file(study, path, metrics=["external:bleu-4", "external:bleu-4"], now=NOW)
    assert np.nansum(unpack_scores(found.run)) == 2


def write_zip(tmp_path, scores):
    path = tmp_path / "theirs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("set/sources/img-txt.txt", "dog\n")
        for name, value in scores.items():
            archive.writestr(f"set/metric-scores/img-txt/{name}.seg.score", f"first\t{value}\n")
    return path


def test_one_metric_with_two_references_of_mt_metrics_eval_is_two(tmp_path):
    path = write_zip(tmp_path, {"BLEU-refA": 1, "BLEU-refB": 2, "COMET-src": 3})

    found = import_score_file(make_rows(), path, now=NOW)

    assert {each.run.metric: np.nansum(unpack_scores(each.run)) for each in found} == {
        "external:BLEU-refA": 1,
        "external:BLEU-refB": 2,
        "external:COMET": 3,
    }


def test_refuses_metrics_and_systems_that_get_one_name_in_mt_metrics_eval(tmp_path):
    study = make_rows()
    with pytest.raises(ImportFailed, match=r"one column of scores for external:a .*, got a, external:a"):
        import_score_file(study, write_zip(tmp_path, {"a-src": 1, "external:a-src": 2}), now=NOW)

    for system, name in zip(System.objects.order_by("pk"), ("m-1", "m_1"), strict=True):
        system.name = name
        system.save()
    with pytest.raises(ImportFailed) as caught:
        import_score_file(study, write_zip(tmp_path, {"a-src": 1}), now=NOW)
    assert str(caught.value) == (
        "theirs.zip: must be for a study whose systems have different names in mt-metrics-eval, got m-1, m_1"
    )


@pytest.mark.parametrize("is_unpacked", [False, True])
def test_files_of_mt_metrics_eval_are_read_back(tmp_path, is_unpacked):
    study = make_rated_study(n_items=4)
    path = tmp_path / "rated.zip"
    call_command("export_scores", "rated", "--out", str(path))
    if is_unpacked:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(tmp_path / "files")
        path = tmp_path / "files"

    found = import_score_file(study, path, now=NOW)

    assert [each.run.metric for each in found] == ["external:length", "external:rouge_l"]
    assert read_run("length") == unpack_scores(Run.objects.get(metric="length")).tolist()
    assert read_run("rouge_l") == unpack_scores(Run.objects.get(metric="rouge-l")).tolist()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"README.txt": ""}, "theirs.zip: must hold one file sources/img-txt.txt, got 0"),
        (
            {"sources/img-txt.txt": "dog\n"},
            "theirs.zip: must hold files *.seg.score or *.sys.score in metric-scores/img-txt",
        ),
        (
            {"sources/img-txt.txt": "dog\n", "metric-scores/img-txt/m-all.seg.score": "third\t1\n"},
            "m-all.seg.score, line 1: must be of a system of the study, got 'third'",
        ),
        (
            {"sources/img-txt.txt": "bird\n", "metric-scores/img-txt/m-all.seg.score": "first\t1\n"},
            "m-all.seg.score, line 1: must be of a caption that first has in the study (number 1 of the image), "
            "got 'bird'",
        ),
        (
            {"sources/img-txt.txt": "dog\ncat\n", "metric-scores/img-txt/m-all.seg.score": "first\t1\n"},
            "m-all.seg.score: must have a line for each of the 2 segments of system first, got 1",
        ),
    ],
)
def test_refuses_bad_files_of_mt_metrics_eval(tmp_path, files, message):
    path = tmp_path / "theirs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"set/{name}", content)

    with pytest.raises(ImportFailed) as caught:
        import_score_file(make_rows(), path, now=NOW)
    assert str(caught.value) == message


def test_scores_of_systems_are_those_of_all_their_captions(tmp_path):
    path = tmp_path / "theirs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("set/sources/en-de.txt", "dog\ncat\nsea\n")
        archive.writestr("set/metric-scores/en-de/COMET-refA.sys.score", "first\t.5\nsecond\tNone\n")

    (found,) = import_score_file(make_rows(), path, now=NOW)

    assert (found.run.metric, found.n_missing) == ("external:COMET", 3)
    assert [value for value in unpack_scores(found.run).tolist() if value == value] == [0.5] * 3


def test_names_of_columns_become_names_of_metrics():
    assert read_metric_name("external:CLIP Score") == "CLIP Score"
    assert read_metric_name("rouge-l|beta:1.2,3|references:draw-5-number-0-seed-0") == (
        "rouge-l beta:1.2 3 references:draw-5-number-0-seed-0"
    )
    long = read_metric_name("x" * 100)
    assert (len(long), long[:71]) == (80, "x" * 71)


def test_scores_after_a_preregistration_are_confirmed(tmp_path, capsys):
    study = make_rows()
    StudyVersion.objects.create(study=study, number=1, design=make_design().to_json(), created_at=NOW)
    make_preregistration(study)
    path = write(tmp_path, "key,their\ndog-first,1\n")

    with pytest.raises(
        CommandError, match=r"metrics added: preregistered length, now external:their.*confirm-deviation"
    ):
        call_command("import_scores", "rows", str(path))
    assert (Run.objects.count(), AuditEntry.objects.count()) == (0, 0)

    call_command("import_scores", "rows", str(path), "--confirm-deviation", "--deviation-reason", "A reviewer asked.")

    entry = AuditEntry.objects.get()
    assert (entry.action, entry.details) == (
        "scores_imported",
        {
            "metrics": ["external:their"],
            "file": "scores.csv",
            "deviates_from": 1,
            "deviations": ["metrics added"],
            "deviation_reason": "A reviewer asked.",
        },
    )
    assert Run.objects.get().metric == "external:their"

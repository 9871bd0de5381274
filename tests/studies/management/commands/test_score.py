"""Tests of the command with a separate database, also when it is killed."""

import hashlib
import sqlite3
import time

import pytest
from django.core.management import CommandError, call_command

from jobs.models import Job
from studies.management.printing.results import print_report
from studies.models import Run, ScoreChunk
from studies.scoring.study_scoring import ScoredInput, ScoredMetric, ScoringReport
from studies.scoring.systems import SystemTable
from tests.running_processes import is_running
from tests.studies.management.commands.processes import list_children, make_environment, migrate, run, run_all, start
from tests.studies.preregistered import make_preregistration
from tests.studies.rated import make_rated_study
from tests.studies.scored import make_scored_study
from tests.studies.scoring.rows import make_rows

METRICS = "bleu-4,cider-d,rouge-l"
CHUNK_SIZE = "500"
N_CHUNKS = 3 * 96
"""96 chunks of 500 cover the 47,830 rows of Flickr8k-CF."""


def read_database(environment, query):
    with sqlite3.connect(environment["DATABASE_URL"].removeprefix("sqlite:///"), timeout=30) as connection:
        return connection.execute(query).fetchall()


def count_chunks(environment):
    return read_database(environment, "SELECT count(*) FROM studies_scorechunk")[0][0]


def digest_scores(environment):
    rows = read_database(
        environment,
        'SELECT signature, chunk."index", hex(chunk."values") FROM studies_scorechunk chunk '
        "JOIN studies_run run ON run.id = chunk.run_id ORDER BY 1, 2",
    )
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def score(environment, *arguments):
    return run(
        "score", "flickr8k-cf", "--metrics", METRICS, "--chunk-size", CHUNK_SIZE, *arguments, environment=environment
    )


@pytest.mark.slow
def test_killed_half_way_it_goes_on_where_it_was(tmp_path, data_folder):
    environment = make_environment(tmp_path, ACCORDANCE_SCORING_PROCESSES="2")
    migrate(environment)
    run("import_data", "flickr8k-cf", "--from", str(data_folder / "flickr8k"), environment=environment)

    arguments = ("score", "flickr8k-cf", "--metrics", METRICS, "--chunk-size", CHUNK_SIZE)
    with start(*arguments, environment=environment) as process:
        deadline = time.monotonic() + 120
        while count_chunks(environment) < 60 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        workers = list_children(process.pid)
        process.kill()
    kept = count_chunks(environment)
    assert 60 <= kept < N_CHUNKS
    assert read_database(environment, "SELECT count(*) FROM studies_run WHERE finished_at IS NOT NULL") == [(0,)]
    assert len(workers) >= 2
    deadline = time.monotonic() + 20
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, workers))
    before = read_database(environment, "SELECT id FROM studies_scorechunk ORDER BY id")

    printed, again = run_all(arguments, arguments, environment=environment)

    computed = [int(line.split()[1]) for line in printed.splitlines() if line.endswith("chunks computed")]
    assert sum(computed) == N_CHUNKS - kept
    assert set(before) < set(read_database(environment, "SELECT id FROM studies_scorechunk"))
    assert f"nothing to compute: all {N_CHUNKS} chunks of dataset flickr8k-cf are already scored" in again

    resumed = digest_scores(environment)
    with sqlite3.connect(tmp_path / "db.sqlite3") as connection:
        connection.execute("DELETE FROM studies_scorechunk")
        connection.execute("DELETE FROM studies_run")
    score(environment | {"ACCORDANCE_SCORING_PROCESSES": "1"})
    assert digest_scores(environment) == resumed


@pytest.mark.django_db
def test_prints_what_was_scored(capsys):
    make_rows()

    call_command("score", "rows", "--metrics", "length,bleu-1")

    # By candidate: 3, 2, 3, 3, 2 and 1 words.
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "6 segment rows, references: exclude-candidate-per-row",
        "3 of 6 captions are references of their image (3 exactly, 0 after normalising case, blanks and punctuation)",
        "length: 1 of 1 chunks computed",
        "bleu-1: 1 of 1 chunks computed",
        "",
    ]
    assert lines[5].split() == ["system", "length", "bleu-1"]
    assert [line.split()[:2] for line in lines[6:]] == [["first", "2.66667"], ["second", "2.00000"]]


@pytest.mark.django_db
def test_asks_for_the_intervals_that_pages_open_with():
    study = make_rated_study(score=False)

    call_command("score", "rated", "--metrics", "length")

    (job,) = Job.objects.filter(kind="default-report")
    assert job.payload == {"study": study.pk}


@pytest.mark.django_db
def test_says_that_there_is_nothing_to_compute(capsys):
    make_rows()
    call_command("score", "rows", "--metrics", "length")
    capsys.readouterr()

    call_command("score", "rows", "--metrics", "length")

    lines = capsys.readouterr().out.splitlines()
    assert "length: already scored" in lines
    assert lines[-1] == "nothing to compute: all 1 chunks of dataset rows are already scored"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], r"there is no study 'nobody' \(known: rows\)"),
        (["rows", "--metrics", "bleu-9"], "no installed plugin has a metric 'bleu-9'; did you mean"),
        (
            ["rows", "--metrics", "mine"],
            r"'mine'.*\nA plugin file is used for studies when it is in .*plugins; .* --plugin FILE",
        ),
        (["rows", "--protocol", "nobody"], "protocol nobody: unknown protocol"),
        (["rows", "--protocol", "pascal-50s"], "dataset rows: has no reference set 'shipped'"),
        (["rows", "--chunk-size", "0"], "chunk size: must be at least 1, got 0"),
        (["rows", "--option", "references=draw-1x2"], "image sea: has 1 references, but 2 are to be sampled"),
    ],
)
def test_what_cannot_be_scored_is_said(arguments, message):
    make_rows()

    with pytest.raises(CommandError, match=message):
        call_command("score", *arguments)

    assert Run.objects.count() == 0


@pytest.mark.django_db
def test_chunks_are_of_the_size_asked_for():
    make_rows()

    call_command("score", "rows", "--metrics", "length", "--chunk-size", "4")

    assert [len(chunk.values) // 8 for chunk in ScoreChunk.objects.order_by("index")] == [4, 2]


@pytest.mark.django_db
def test_a_corpus_that_cannot_be_read_ends_the_command(tmp_path):
    make_rows("corpora")

    with pytest.raises(CommandError, match=r"none\.txt: cannot be read: No such file or directory"):
        call_command("score", "corpora", "--metrics", "novelty", "--corpus", str(tmp_path / "none.txt"))


def test_metrics_left_out_are_printed_with_the_reason():
    report = ScoringReport(dataset="d", inputs=(), failures=(), left_out=(("novelty", "learns from a corpus"),))

    assert print_report(report).splitlines()[0] == "left out: novelty learns from a corpus"


def test_rows_without_a_score_are_printed_with_the_possible_reasons():
    metric = ScoredMetric("m", "m|v:1", 1, 1, n_unscored=2)
    scored = ScoredInput("segment", "all", 12, (metric,), SystemTable(("m",), ()), ())
    report = ScoringReport(dataset="d", inputs=(scored,), failures=(), left_out=())

    expected = "m: 2 of 12 rows have no score; rows without references, or that it learned from, may have none"
    assert expected in print_report(report).splitlines()


def test_rows_that_no_chosen_metric_scores_are_not_printed():
    nothing = SystemTable((), ())
    rows = ScoredInput("segment", "all", 12, (ScoredMetric("m", "m|v:1", 1, 0),), SystemTable(("m",), ()), ())
    sets = ScoredInput("set", "all", 3, (), nothing, ())
    report = ScoringReport(dataset="d", inputs=(rows, sets), failures=(), left_out=())

    assert "3 set rows, references: all\nno metric produced scores" in print_report(report)
    chosen = print_report(report, is_chosen=True)
    assert "set rows" not in chosen
    assert "m: already scored" in chosen.splitlines()


def test_the_table_of_systems_is_short_unless_all_are_asked_for():
    rows = tuple((f"system-{number:02d}", (float(number),)) for number in range(12))
    scored = ScoredInput("segment", "all", 12, (ScoredMetric("m", "m|v:1", 1, 1),), SystemTable(("m",), rows), ())
    report = ScoringReport(dataset="d", inputs=(scored,), failures=(), left_out=())

    short, whole = print_report(report).splitlines(), print_report(report, has_all_systems=True).splitlines()

    assert short[-3:-1] == ["system-08  8.00000", "system-09  9.00000"]
    assert short[-1] == "and 2 more systems, shown with --all-systems"
    assert "system-11  11.00000" in whole


@pytest.mark.django_db
def test_metrics_beyond_a_preregistration_need_a_confirmation():
    make_preregistration(make_scored_study(score=False))

    with pytest.raises(CommandError, match=r"metrics added: preregistered length, now rouge-l\. .*--confirm-deviation"):
        call_command("score", "study", "--metrics=rouge-l")
    assert not Run.objects.exists()
    call_command("score", "study", "--metrics=length")
    call_command("score", "study", "--metrics=rouge-l", "--confirm-deviation")

    assert sorted(Run.objects.values_list("metric", flat=True)) == ["length", "rouge-l"]

import json
import os

import psycopg
import pytest
import scipy.stats
from django.core.management import CommandError, call_command

from studies.analysis.reports import RECORD_COLUMNS
from tests.studies.analysis.test_correlations import make_judged, make_sibling
from tests.studies.collection.test_judgments import judge
from tests.studies.management.commands.processes import make_environment, migrate, run_all
from tests.studies.rated import make_rated_study
from tests.studies.scoring.rows import add_item

pytestmark = pytest.mark.django_db
CAUTION = (
    "only 3 images, fewer than 10: differences are not tested, and intervals are narrower than their nominal confidence"
)


@pytest.fixture
def study():
    study = make_judged()
    call_command("score", study.name, "--metrics", "length")
    return study


def correlate(capsys, *arguments):
    capsys.readouterr()
    call_command("correlate", *arguments)
    return capsys.readouterr()


def test_json_has_the_agreed_fields(study, capsys):
    printed = json.loads(correlate(capsys, "rows", "--metrics", "length", "--method", "none", "--json").out)

    assert list(RECORD_COLUMNS) == [
        *("study", "protocol", "metric", "coefficient", "level", "category", "value", "low", "high"),
        *("n", "n_missing", "p_value", "caution", "signature"),
    ]
    signature = "length|tok:ptb|v:1 / custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson"
    assert printed == [
        {
            "study": "rows",
            "protocol": "custom@1",
            "metric": "length",
            "coefficient": "pearson",
            "level": "item",
            "category": None,
            "value": pytest.approx(3**0.5 / 2),
            "low": None,
            "high": None,
            "n": 3,
            "n_missing": 0,
            "p_value": None,
            "caution": CAUTION,
            "signature": signature,
        }
    ]


def test_table_is_aligned_and_signed(study, capsys):
    printed = correlate(capsys, "rows", "--metrics", "length", "--method", "none")

    assert printed.out.splitlines() == [
        "rows, custom@1",
        "",
        "metric  coefficient  level  category   x100  low  high  n  missing",
        "length  pearson      item             86.60    -     -  3        0",
        "",
        "length|tok:ptb|v:1 / custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson",
    ]
    # Of the six captions of the dataset, three are references.
    found, warning, caution = printed.err.splitlines()
    assert found.startswith("note: 3 of 6 captions are references of their image (3 exactly, 0 after normalising ")
    assert warning.startswith("note: warning: 3 captions are compared with themselves")
    assert caution == f"caution: {CAUTION}"


def test_metrics_without_scores_are_noted(study, capsys):
    printed = correlate(capsys, "rows", "--json")

    assert [row["metric"] for row in json.loads(printed.out)] == ["length"]
    assert printed.err.startswith("note: without scores: bleu-1, bleu-2")


def test_the_sibling_used_is_noted(study, capsys):
    sibling = make_sibling(study, "direct", protocol="composite@1")
    add_item(sibling, "dog", position=0)
    add_item(sibling, "sea", position=1)
    judge(sibling, (3, 1))
    call_command("score", study.name, "--metrics", "length")

    printed = correlate(capsys, "rows", "--protocol", "composite@1", "--metrics", "length", "--json")

    assert printed.err.splitlines()[0] == "note: composite@1 uses the judgments of direct"
    assert "compared with themselves" not in printed.err
    assert [row["study"] for row in json.loads(printed.out)] == ["direct"]


def test_a_protocol_over_systems_prints_intervals_and_no_p_value_of_four(db, capsys, tmp_path):
    path = tmp_path / "coco.csv"
    path.write_text(
        "system,M1,M2,M3,M4,M5,CIDEr\na,.3,.3,4,2,.2,.9\nb,.2,.3,3,2,.2,.7\nc,.1,.2,3,3,.1,.8\nd,0,0,1,3,0,.1\n"
    )
    call_command(
        "import_data", "table", "--from", str(path), "--protocol", "coco-2015", "--column", "metric_score=CIDEr"
    )

    printed = correlate(capsys, "coco")

    # r of (.3, .2, .1, 0) with (.9, .7, .8, .1): .115 / sqrt(.05 * .3875) = .8262.
    lines = printed.out.splitlines()
    assert lines[2].split() == ["metric", "coefficient", "level", "category", "x100", "low", "high", "n", "missing"]
    assert lines[3].split() == ["external:CIDEr", "pearson", "system", "M1", "82.62", "-15.70", "100.00", "4", "0"]
    assert lines[-1].endswith("crit:M1+M2+M3+M4+M5 / ci:jackknife|resampled:systems|confidence:0.95")
    assert "caution: only 4 systems, fewer than 10" in printed.err


def test_a_protocol_over_ten_systems_prints_p_values(db, capsys, tmp_path):
    path = tmp_path / "coco.csv"
    rows = "".join(f"s{n},{n % 4},{n},{n},{n},{n},.{n}\n" for n in range(10))
    path.write_text(f"system,M1,M2,M3,M4,M5,CIDEr\n{rows}")
    asked = ("--protocol", "coco-2015", "--column", "metric_score=CIDEr")
    call_command("import_data", "table", "--from", str(path), *asked)

    line = correlate(capsys, "coco").out.splitlines()[3]

    # r of 0 ... 9 with 0 1 2 3 0 1 2 3 0 1: 6 / sqrt(82.5 * 12.1); t with 8 degrees of freedom.
    oracle = scipy.stats.pearsonr(range(10), [n % 4 for n in range(10)])
    assert line.split()[4] == f"{100 * oracle.statistic:.2f}"
    assert line.split()[7:] == [f"{oracle.pvalue:.4f}", "10", "0"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], r"there is no study 'nobody' \(known: rows\)"),
        (["rows", "--metrics", "bleu-1"], "run: manage.py score rows --metrics bleu-1"),
        (["rows", "--option", "ratings=best"], "unknown rule `ratings` 'best'"),
        (["rows", "--ci", "image"], "unknown axis of resampling 'image'; known are: images, raters"),
        (["rows", "--ci", "images", "--resamples", "0"], "`n_resamples` must be at least 1, got 0"),
        (["rows", "--ci", "images", "--seed", "-1"], "the seed must be a whole number from 0, got '-1'"),
        (["rows", "--method", "jackknife", "--ci", "images,raters"], "needs 1 to 1 different axes"),
        (["rows", "--method", "best"], "invalid choice: 'best'"),
        (["rows", "--test", "perm-both"], "a comparison needs two metrics with scores"),
        (["rows", "--out", "report.docx"], "a report is written as .md, .tex, .json, .csv, .pdf, .svg, .png"),
        (["rows", "--out", "nowhere/report.md"], "there is no folder nowhere for the report"),
    ],
)
def test_what_cannot_be_correlated_is_said(study, arguments, message):
    with pytest.raises(CommandError, match=message):
        call_command("correlate", *arguments)


def test_intervals_are_in_the_table_and_in_the_json(db, capsys):
    make_rated_study()
    asked = ("rated", "--metrics", "length", "--ci", "images,raters", "--resamples", "50", "--seed", "3")

    (row,) = json.loads(correlate(capsys, *asked, "--json").out)
    table = correlate(capsys, *asked).out

    assert row["signature"].endswith(" / ci:percentile|resampled:images+raters|n:50|confidence:0.95|seed:3")
    assert row["low"] < row["value"] < row["high"]
    bounds = [f"{100 * row[field]:.2f}" for field in ("value", "low", "high")]
    assert table.splitlines()[3].split() == ["length", "kendall-c", "item", *bounds, "36", "0"]
    assert correlate(capsys, *asked).out == table


def test_images_are_resampled_unless_no_interval_is_asked_for(db, capsys):
    make_rated_study()

    asked = ("rated", "--metrics", "length", "--resamples", "9", "--json")

    (row,) = json.loads(correlate(capsys, *asked).out)
    assert row["low"] < row["value"] < row["high"]
    assert row["signature"].endswith(" / ci:percentile|resampled:images|n:9|confidence:0.95|seed:0")

    (row,) = json.loads(correlate(capsys, *asked, "--method", "none").out)
    assert (row["low"], row["high"]) == (None, None)
    assert "ci:" not in row["signature"]


def test_differences_follow_the_table(db, capsys):
    make_rated_study()
    asked = ("rated", "--metrics", "length,rouge-l", "--resamples", "50", "--seed", "3")
    plain = (*asked, "--method", "none")

    printed = correlate(capsys, *plain, "--test", "perm-input").out

    numbers = correlate(capsys, *plain).out.rstrip("\n")
    call_command("compare", "rated", "length", "rouge-l", *asked[3:])
    differences = capsys.readouterr().out.partition("\nlength|tok:ptb")[0]
    assert printed == f"{numbers}\n\n{differences}\n"


def test_what_is_undefined_is_noted(db, capsys):
    study = make_rated_study()
    study.dataset.candidates.update(text="one word")
    call_command("score", study.name, "--metrics", "length")

    printed = correlate(capsys, "rated", "--metrics", "length")

    assert printed.err == (
        "note: length: kendall-c at level item is undefined, the score is 2 in all 36 observations\n"
    )


@pytest.mark.parametrize("count", ["0", "-1", "two"])
def test_a_number_of_processes_is_checked(study, count):
    with pytest.raises(CommandError, match=f"the number of processes must be a whole number from 1, got '{count}'"):
        call_command("correlate", "rows", f"--processes={count}")


@pytest.mark.parametrize(("chosen", "interval", "test"), [([], 1000, 1000), (["--resamples", "50"], 50, 50)])
def test_intervals_and_tests_are_made_from_so_many_resamples(db, capsys, tmp_path, chosen, interval, test):
    make_rated_study()
    path = tmp_path / "report.json"
    asked = ("rated", "--metrics", "length,rouge-l", "--ci", "images", "--test", "perm-both", "--out", str(path))

    correlate(capsys, *asked, *chosen)

    design = json.loads(path.read_text())["design"]
    assert (design["resamples"], design["test_resamples"]) == (interval, test)


def test_rows_of_json_have_no_differences(db, capsys):
    make_rated_study()
    asked = ("rated", "--metrics", "length,rouge-l", "--resamples", "50", "--json")

    printed = correlate(capsys, *asked, "--test", "perm-both")

    assert printed.out == correlate(capsys, *asked).out
    assert (
        printed.err
        == "note: rows printed by --json do not include differences; use --out FILE.json, or compare --json\n"
    )


def test_a_report_is_written(db, capsys, tmp_path):
    make_rated_study()
    path = tmp_path / "report.json"

    correlate(capsys, "rated", "--metrics", "length", "--ci", "images", "--resamples", "50", "--out", str(path))

    assert json.loads(path.read_text())["design"]["method"] == "percentile"


@pytest.fixture
def postgres_database(postgres_url):
    """The URL of an empty database that is gone after the test."""
    name = f"correlate_{os.getpid()}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield postgres_url.rpartition("/")[0] + f"/{name}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.postgres
@pytest.mark.slow
def test_the_same_bytes_on_both_databases_and_in_several_processes(tmp_path, postgres_database):
    table = tmp_path / "ratings.csv"
    rows = [f"i{n % 12},{'word ' * (2 + n % 5)}{n % 12},r{n % 3},{1 + (n * 7) % 4},a word {n % 12}" for n in range(36)]
    table.write_text("image,candidate,rater,value,reference\n" + "\n".join(rows) + "\n")
    sqlite = make_environment(tmp_path)
    postgres = make_environment(tmp_path, DATABASE_URL=postgres_database)
    protocol = "custom@1|rows:all|refs:all|ratings:each|level:item|coef:kendall-c"
    metrics = ("--metrics", "length,rouge-l,bleu-1")
    chosen = (*metrics, "--ci", "images,raters", "--test", "perm-both", "--resamples", "100", "--seed", "5")

    def prepare(*studies):
        asked = ("--scale", "1-4", "--protocol", protocol)
        imports = [("import_data", "table", "--from", str(table), "--study", name, *asked) for name in studies]
        return [*imports, ("score", "study", *metrics)]

    def write(environment, *before, processes, forms):
        paths = [tmp_path / f"report{form}" for form in forms]
        asked = ("correlate", "study", *chosen, "--processes", str(processes), "--out")
        printed = run_all(*before, *((*asked, str(path)) for path in paths), environment=environment)[len(before) :]
        return {path.suffix: (text, path.read_bytes()) for path, text in zip(paths, printed, strict=True)}

    migrate(sqlite)
    written = write(sqlite, *prepare("study"), processes=1, forms=(".json", ".md", ".tex", ".csv"))
    as_json = {".json": written[".json"]}
    assert write(sqlite, processes=4, forms=as_json) == as_json
    # Other primary keys in the second database: something is imported into it beforehand.
    migrate(postgres)
    assert write(postgres, *prepare("before", "study"), processes=1, forms=as_json) == as_json
    assert write(postgres, processes=4, forms=written) == written
    report = json.loads(written[".json"][1])
    assert [len(report[part]) for part in ("rows", "differences")] == [3, 3]
    assert all(row["low"] < row["value"] < row["high"] for row in report["rows"])

"""Scores from files, for the dataset of tests/studies/scoring/rows.py: two systems and three images."""

import pytest
from django.core.management import CommandError, call_command

from studies.datasets.score_files import import_score_file
from studies.models import Run, ScoringInput
from studies.scoring.chunks import unpack_scores
from studies.shared.errors import ImportFailed
from tests.factories.studies import NOW
from tests.studies.scoring.rows import make_rows

pytestmark = pytest.mark.django_db


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
        "external:a: 1 captions have a score, 5 have none",
        "external:b: 1 captions have a score, 5 have none",
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
            "scores.csv: must name captions by the columns key; image with system or candidate; or system",
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

import json

import pytest

from tests.studies.scored import make_scored_study


@pytest.mark.parametrize(
    ("file_name", "content_type", "download"),
    [
        ("judgments.csv", "text/csv; charset=utf-8", "study-judgments.csv"),
        ("results.csv", "text/csv; charset=utf-8", "study-results.csv"),
        ("results.json", "application/json", "study-results.json"),
    ],
)
def test_download(desk, owner, file_name, content_type, download):
    make_scored_study(owner=owner)

    response = desk.get(f"/studies/study/{file_name}")

    assert response.headers["Content-Type"] == content_type
    assert response.headers["Content-Disposition"] == f'attachment; filename="{download}"'
    assert response.getvalue()


def test_download_of_results_is_what_the_page_shows(desk, owner):
    make_scored_study(values=(1, 2, 3), owner=owner)

    rows = json.loads(desk.get("/studies/study/results.json").getvalue())

    assert [(row["metric"], row["value"], row["n"]) for row in rows] == [("length", 1.0, 3), ("rouge-l", None, 3)]


def test_download_in_an_unknown_format(desk, owner):
    make_scored_study(owner=owner, score=False)

    assert desk.get("/studies/study/results.xlsx").status_code == 404

import json
import re

import pytest

from studies.models import Candidate
from tests.studies.scored import make_scored_study


@pytest.mark.parametrize(
    ("file_name", "content_type", "download"),
    [
        ("judgments.csv", "text/csv; charset=utf-8", "study-judgments.csv"),
        ("results.csv", "text/csv; charset=utf-8", "study-results.csv"),
        ("results.json", "application/json", "study-results.json"),
    ],
)
def test_download(researcher, owner, file_name, content_type, download):
    make_scored_study(owner=owner)

    response = researcher.get(f"/studies/study/{file_name}")

    assert response.headers["Content-Type"] == content_type
    assert response.headers["Content-Disposition"] == f'attachment; filename="{download}"'
    assert response.getvalue()


def test_download_of_results_is_what_the_page_shows(researcher, owner):
    make_scored_study(values=(1, 2, 3), owner=owner)

    rows = json.loads(researcher.get("/studies/study/results.json").getvalue())

    assert [(row["metric"], row["value"], row["n"]) for row in rows] == [("length", 1.0, 3), ("rouge-l", None, 3)]


def test_judgments_are_sent_in_few_parts(researcher, owner):
    make_scored_study(values=tuple(range(1, 5)) * 10, owner=owner)

    parts = list(researcher.get("/studies/study/judgments.csv").streaming_content)

    assert [part.count(b"\r\n") for part in parts] == [41]


@pytest.mark.parametrize("page", ["/studies/study/", "/studies/study/reports/"])
def test_the_file_for_programs_is_linked_beside_the_other(researcher, owner, page):
    study = make_scored_study(owner=owner)
    Candidate.objects.filter(dataset=study.dataset).update(text="=1+1")

    shown = researcher.get(page).content.decode()
    address = re.search(r'href="([^"]*)">CSV for programs<', shown)[1]
    files = [researcher.get(each).getvalue().decode() for each in (address, address.partition("?")[0])]

    assert address == "/studies/study/judgments.csv?for=programs"
    assert [("'=1+1" in rows, ",=1+1" in rows) for rows in files] == [(False, True), (True, False)]
    assert "prefixed with an apostrophe" in shown


def test_download_in_an_unknown_format(researcher, owner):
    make_scored_study(owner=owner, score=False)

    assert researcher.get("/studies/study/results.xlsx").status_code == 404

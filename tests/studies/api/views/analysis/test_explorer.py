"""Tests of the explorer in the API: the choices of its page, later intervals, and all parts in all formats."""

import pytest

from jobs.models import Job
from studies.analysis.explorer.choice import Choice
from studies.analysis.explorer.loaded_study import open_study
from studies.analysis.explorer.plots import PARTS, make_file
from studies.analysis.explorer.report import explore_multiverse

pytestmark = pytest.mark.django_db


def test_what_is_chosen_is_shown(api):
    found = api.get("explore/", coefficient="pearson", words_to=3, intervals="off").json()

    # Of captions of 2, 3 and 4 words those of 2 and 3 are left; two points lie on a line.
    assert (found["judged"], found["n_items"], found["n_judgments"], found["n_raters"]) == ("study", 2, 2, 1)
    rows = {row["metric"]: (row["coefficient"], row["value"]) for row in found["report"]["rows"]}
    assert rows["length"] == ("pearson", pytest.approx(1.0))
    assert (found["query"], found["progress"]) == ("coefficient=pearson&words_to=3&intervals=off", None)
    assert found["facets"]["raters"] == [{"pseudonym": "rater-1", "n_judgments": 3, "is_excluded": False}]
    assert (found["facets"]["fewest_words"], found["facets"]["most_words"]) == (2, 4)


def test_intervals_come_in_the_background_or_are_waited_for(api):
    asked = api.get("explore/", intervals="on", resamples=100).json()
    waited = api.get("explore/", intervals="on", resamples=100, wait="on").json()

    assert (asked["progress"]["state"], asked["report"]["rows"][0]["low"]) == ("waiting", None)
    assert waited["progress"] is None
    # By hand: where one of three captions came twice tau-c is 8/9, where all came once it is 1.
    row = waited["report"]["rows"][0]
    assert row["caution"].startswith("only 3 images, fewer than 10: differences are not tested")
    assert (row["low"], row["high"]) == (pytest.approx(8 / 9), 1.0)


def test_a_job_that_a_program_waits_for_is_not_cancelled_on_the_page(api, client):
    page = "/studies/study/explore/?resamples="
    client.get(f"{page}100")
    assert api.get("explore/", intervals="on", resamples=100).json()["progress"]["state"] == "waiting"

    client.get(f"{page}200")

    assert api.get("explore/", intervals="on", resamples=100).json()["progress"]["state"] == "waiting"
    assert [job.state for job in Job.objects.all()] == ["queued", "queued"]


@pytest.mark.parametrize(
    ("query", "field"), [({"coefficient": "nothing"}, "coefficient"), ({"words_from": 5, "words_to": 2}, "words_to")]
)
def test_choices_that_cannot_be(api, query, field):
    response = api.get("explore/", **query)

    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, field)


def test_nothing_to_explore_says_why(api, study):
    study.raters.get().judgments.all().delete()

    response = api.get("explore/")

    assert (response.status_code, response.json()["detail"]) == (409, "study study has no judgments yet")


def test_ranks_under_every_way_to_analyse(api, study):
    found = api.get("explore/multiverse/", wait="on").json()

    assert (found["metrics"], found["progress"]) == (["length", "rouge-l"], None)
    same = explore_multiverse(open_study(study), Choice())
    assert found["wins"] == list(same.wins)
    assert [each["ranks"] for each in found["universes"]] == [list(each.ranks) for each in same.universes]
    # rouge-l says 0 of all, so its values are undefined; of length those in an image of a single caption.
    assert {tuple(each["ranks"]) for each in found["universes"]} == {(1, None), (None, None)}
    assert {each["values"][1] for each in found["universes"]} == {None}


@pytest.mark.parametrize("name", [f"{part}.{form}" for part, (forms, _) in PARTS.items() for form in forms])
def test_every_part_is_that_of_the_page(api, study, name):
    part, _, form = name.partition(".")

    response = api.get(f"explore/{name}")

    opened, choice = open_study(study), Choice()
    if part == "differences":
        # The study has three images; more are in tests/studies/views/analysis/test_explorer.py.
        assert response.status_code == 409
        assert response.json()["detail"].startswith("only 3 images, fewer than 10: differences are not tested")
        return
    assert response.status_code == 200
    if form != "pdf":
        assert response.content == make_file(part, form, opened, choice, metric="length")
    else:
        assert response.content.startswith(b"%PDF-")


def test_there_is_no_such_part(api):
    assert api.get("explore/table.docx").status_code == 409

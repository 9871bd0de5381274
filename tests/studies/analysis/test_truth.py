"""People judge captions whose truth another study has computed."""

from pathlib import Path
from unittest.mock import Mock

import pytest
from django.test import Client
from django.utils import timezone

from jobs.worker.running import run_waiting_jobs
from studies.access.audit import COMMAND_LINE
from studies.analysis import cached_results, truth
from studies.analysis.agreement import measure_study
from studies.collection.lifecycle import open_study
from studies.datasets.cloning import clone_study
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.enums import MemberRole
from studies.management.printing.agreement import print_agreement
from studies.models import Item, Judgment, Study
from tests.factories.studies import NOW, make_judgment, make_member, make_rater, make_user
from tests.studies.known_worlds import write_folder

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(settings, tmp_path: Path) -> Study:
    """A clone of the computed study, which three people have judged.

    Ann is right throughout, Bob takes the ungrammatical caption for true, and Cem says yes to everything.
    """
    settings.MEDIA_ROOT = tmp_path / "media"
    options = ImportOptions(write_folder(tmp_path / "worlds"), study="truth", system=("good.txt", "bad.txt"))
    import_data("shapeworld", options=options, now=NOW)
    computed = Study.objects.get()
    changes = {"consent": "Do you agree?"}
    clone = clone_study(
        computed, name="people", title="People", now=NOW, actor=COMMAND_LINE, owner=None, changes=changes
    )
    open_study(clone, now=NOW)
    truth = dict(Judgment.objects.values_list("item__candidate__key", "value"))
    items = list(Item.objects.filter(task__study=clone).select_related("candidate"))
    assert len(items) == 6
    for name in ("ann", "bob", "cem"):
        rater = make_rater(clone, pseudonym=name)
        for item in items:
            value = truth[item.candidate.key]
            if name == "cem" or (name == "bob" and item.candidate.text == "a square square is ."):
                value = 1.0
            make_judgment(item, rater, value)
    return clone


def test_accuracy_and_kappa_of_each_judgment_of_majorities_and_of_raters(people: Study) -> None:
    found = measure_study(people, resamples=50)

    values = {(row.judged, row.coefficient): (row.value, row.n, row.n_left_out) for row in found.truth}
    # Of the 18 judgments, 1 of Bob's and 3 of Cem's are wrong. Of the 18, 13 are yes, and half are true.
    assert values["each", "accuracy"] == (pytest.approx(14 / 18), 18, 0)
    assert values["each", "cohen"] == (pytest.approx((14 / 18 - 0.5) / 0.5), 18, 0)
    # Bob and Cem together make one majority wrong.
    assert values["majority", "accuracy"] == (pytest.approx(5 / 6), 6, 0)
    assert values["ann", "accuracy"] == values["ann", "cohen"] == (1.0, 6, 0)
    assert values["cem", "accuracy"] == (0.5, 6, 0)
    assert values["cem", "cohen"] == (0.0, 6, 0)
    assert {row.truth for row in found.truth} == {"truth"}
    (each,) = [row for row in found.truth if (row.judged, row.coefficient) == ("each", "accuracy")]
    assert 0.5 < each.low < each.value < each.high <= 1.0


def test_is_printed(people: Study) -> None:
    printed = print_agreement(measure_study(people, resamples=50))

    lines = [line.split() for line in printed.splitlines()]
    assert ["agreement", "with", "truth", "coefficient", "value", "low", "high", "n", "left", "out"] in lines
    assert ["ann", "accuracy", "1.000", "1.000", "1.000", "6", "0"] in lines
    assert "truth computed in study truth" in printed


def test_items_without_majority_or_truth_are_left_out(people: Study) -> None:
    Judgment.objects.filter(rater__pseudonym="ann").delete()
    Judgment.objects.filter(rater__study__name="truth", item__candidate__system__name="good").delete()

    found = measure_study(people, resamples=20)

    counts = {(row.judged, row.coefficient): (row.n, row.n_left_out) for row in found.truth}
    assert counts["each", "accuracy"] == (6, 6)
    # Bob and Cem differ on the two false captions that are grammatical.
    assert counts["majority", "accuracy"] == (1, 5)


def test_other_scales_are_not_compared(people: Study) -> None:
    Judgment.objects.filter(rater__pseudonym="ann").update(value=4)

    found = measure_study(people, resamples=20)

    reason = "people judged on another scale than 0 and 1"
    assert [(row.value, row.reason) for row in found.truth] == [(None, reason)] * 2


def test_studies_without_computed_truth_have_no_such_rows(people: Study) -> None:
    Study.objects.filter(name="truth").update(is_computed=False)

    assert measure_study(people, resamples=20).truth == ()


def test_is_shown_on_the_page_of_the_study(people: Study, admin_client: Client) -> None:
    page = " ".join(admin_client.get("/studies/people/").content.decode().split())

    assert "Agreement of raters with truth" in page
    assert '<td>Accuracy</td> <td class="number">0.778' in page
    assert "Truth was computed in the study <code>truth</code>" in page
    assert "Agreement of raters with truth" not in admin_client.get("/studies/truth/").content.decode()


@pytest.mark.parametrize(
    ("role", "status", "names"),
    [("owner", 200, {"truth"}), ("analyst", 200, {""}), ("colleague", 200, {"truth"}), ("stranger", 404, set())],
)
def test_study_of_the_truth_is_named_only_to_those_who_may_see_it(
    people: Study, client: Client, role: str, status: int, names: set[str]
) -> None:
    """The analyst is a member of the clone only, the colleague of both studies."""
    users = {name: make_user(name) for name in ("owner", "analyst", "colleague", "stranger")}
    Study.objects.update(owner=users["owner"])
    for member in ("analyst", "colleague"):
        make_member(people, users[member], MemberRole.ANALYST)
    make_member(Study.objects.get(name="truth"), users["colleague"])
    client.force_login(users[role])

    page = client.get("/studies/people/")
    answer = client.post("/api/v1/studies/people/agreement/", {"resamples": 20}, content_type="application/json")

    assert (page.status_code, answer.status_code) == (status, status)
    if status == 200:
        text = page.content.decode()
        assert "Agreement of raters with truth" in text
        assert ("in the study <code>truth</code>" in text) == ("truth" in names)
        assert ("in another study of this dataset" in text) == ("" in names)
        assert {row["truth"] for row in answer.json()["truth"]} == names


@pytest.mark.django_db(transaction=True)
def test_is_computed_by_a_worker_for_large_studies(people: Study, admin_client: Client, monkeypatch) -> None:
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 0)
    measured = Mock(wraps=truth.measure_truth)
    monkeypatch.setattr(truth, "measure_truth", measured)

    first = admin_client.get("/studies/people/").content.decode()
    assert measured.call_count == 0
    run_waiting_jobs(now=timezone.now)
    later = [admin_client.get("/studies/people/").content.decode() for _ in range(2)]

    assert measured.call_count == 1
    assert "Accuracy" not in first
    assert "Agreement of raters with truth" in first
    assert all("<td>Accuracy</td>" in page for page in later)

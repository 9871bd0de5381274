"""Tests of preregistering on a page: the form, storage, display, download, and later deviations."""

import hashlib
import json
import re
from html import unescape

import pytest

from studies.access.audit import Actor
from studies.collection.lifecycle import open_study
from studies.design.changes import change_design
from studies.design.preregistration.deviations import Confirmation
from studies.enums import Interface
from studies.models import Preregistration, Study
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_member, make_rater, make_user
from tests.studies.page_rights import PLAN
from tests.studies.scoring.working import work

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/study/design/preregistration/"


@pytest.fixture
def study(owner):
    study = make_designed_study()
    Study.objects.filter(pk=study.pk).update(owner=owner)
    study.refresh_from_db()
    return study


def _freeze(client, **given):
    return client.post(f"{ADDRESS}freeze/", {**PLAN, **given})


def test_plan_is_frozen_shown_and_downloaded_with_its_digest(researcher, study, owner) -> None:
    response = _freeze(researcher, metrics="rouge-l, length")

    kept = Preregistration.objects.get()
    page = researcher.get(ADDRESS).content.decode()
    file = researcher.get(f"{ADDRESS}1.json")
    assert (response.url, kept.frozen_by) == (ADDRESS, owner)
    assert "Created preregistration 1." in page
    assert kept.digest in page
    assert "None so far." in page
    assert hashlib.sha256(file.content).hexdigest() == kept.digest
    assert json.loads(file.content)["plan"]["metrics"] == ["length", "rouge-l"]


def test_who_can_take_part_is_frozen_and_a_later_change_is_a_deviation(researcher, owner) -> None:
    actor, confirmed = Actor(None, Interface.COMMAND), Confirmation(is_given=True)
    study = make_designed_study(eligibility="Adults in <Ireland>")
    Study.objects.filter(pk=study.pk).update(owner=owner)

    _freeze(researcher)
    change_design(study, changes={"eligibility": "Adults"}, now=NOW, actor=actor, confirmation=confirmed)

    page = researcher.get(ADDRESS).content.decode()
    assert "<dt>Who can take part</dt><dd>Adults in &lt;Ireland&gt;</dd>" in page
    assert '<th scope="row">design eligibility</th><td>Adults in &lt;Ireland&gt;</td><td>Adults</td>' in page


def test_protocols_and_coefficients_that_fit_the_study_are_proposed(researcher, study) -> None:
    page = researcher.get(ADDRESS).content.decode()

    protocols, coefficients = (
        re.search(f'<datalist id="{name}-suggestions">(.*?)</datalist>', page)[1]
        for name in ("protocol", "coefficient")
    )
    assert '<option value="flickr8k-expert@1">' in protocols
    assert "pascal-50s" not in protocols
    assert '<option value="kendall-c">Kendall τ-c</option>' in coefficients


def test_metrics_are_ticked(researcher, study) -> None:
    page = researcher.get(ADDRESS).content.decode()
    frozen = _freeze(researcher, metrics=["rouge-l", "length"])
    again = _freeze(researcher, metrics=["length"], alpha="0").content.decode()

    offered = re.findall(r'<input type="checkbox" name="metrics" value="([^"]+)"', page)
    kept = [re.search(rf'<input type="checkbox" name="metrics" value="{name}"[^>]*>', again)[0] for name in offered]
    assert {"length", "rouge-l"} <= set(offered)
    # It scores sets of captions, which this study does not judge.
    assert "div-1" not in offered
    assert 'type="text" name="metrics"' not in page
    assert frozen.status_code == 302
    assert json.loads(Preregistration.objects.get().content)["plan"]["metrics"] == ["length", "rouge-l"]
    assert [name for name, box in zip(offered, kept, strict=True) if "checked" in box] == ["length"]


def test_metrics_are_grouped_by_family_and_selected_by_buttons(researcher, study) -> None:
    page = researcher.get(ADDRESS).content.decode()
    family = _freeze(researcher, metrics=["length"], select="all:hallucination", stopping_rule="At noon.")
    none = _freeze(researcher, metrics=["length", "chair-i"], select="none:hallucination").content.decode()
    every = _freeze(researcher, metrics=[], select="all").content.decode()

    families = re.findall(r"<legend>([^<]+)</legend>\s*<p class=\"select-metrics\">", page)
    assert {"ngram", "hallucination"} <= set(families)
    assert 'value="none:hallucination" aria-label="None of hallucination"' in page
    assert ("Recommended" in page, 'id="cost"' in page, "studies/runs.js" in page) == (False, False, True)
    assert not Preregistration.objects.exists()
    assert family.status_code == 200
    assert _list_ticked(family.content.decode()) == ["chair-i", "chair-s", "length"]
    assert "At noon.</textarea>" in family.content.decode()
    assert _list_ticked(none) == ["length"]
    assert len(_list_ticked(every)) == every.count('name="metrics"')


def _list_ticked(page: str) -> list[str]:
    return sorted(re.findall(r'<input type="checkbox" name="metrics" value="([^"]+)"[^>]* checked', page))


def test_deviations_are_listed(researcher, study) -> None:
    _freeze(researcher)
    actor, confirmed = Actor(None, Interface.COMMAND), Confirmation(is_given=True)
    change_design(study, changes={"question": "<i>Another?</i>"}, now=NOW, actor=actor, confirmation=confirmed)

    page = researcher.get(ADDRESS).content.decode()

    assert "design question" in page
    assert "&lt;i&gt;Another?&lt;/i&gt;" in page
    assert "None so far." not in page


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"protocol": "flickr9k"}, "flickr9k"),
        ({"protocol": "pascal-50s@1"}, "must be a protocol for ratings, got pascal-50s@1"),
        ({"coefficient": "pearson"}, "The protocol only has kendall-c."),
        ({"metrics": "length, nonsense"}, "Not installed: nonsense"),
        ({"metrics": ["length", "nonsense", "<i>"]}, "Not installed: <i>, nonsense"),
        ({"metrics": ""}, "This field is required."),
        ({"metrics": []}, "This field is required."),
        ({"test": "t"}, "Select a valid choice."),
        ({"alpha": "0"}, "greater than or equal to 0.0001"),
        ({"stopping_rule": ""}, "This field is required."),
    ],
)
def test_plan_that_cannot_be_followed_is_refused(researcher, study, given, problem) -> None:
    response = _freeze(researcher, **given)

    assert response.status_code == 422
    assert problem in unescape(response.content.decode())
    assert Preregistration.objects.count() == 0


def test_begun_study_cannot_be_frozen_and_the_page_says_so(researcher, study) -> None:
    open_study(study, now=NOW)
    work(make_rater(study))

    page = researcher.get(ADDRESS).content.decode()
    _freeze(researcher)

    assert "has started without a preregistration" in page
    assert "Preregister design and plan</button>" not in page
    assert Preregistration.objects.count() == 0


def test_viewer_sees_it_and_cannot_freeze(client, study) -> None:
    viewer = make_user("viewer")
    make_member(study, viewer)
    client.force_login(viewer)

    assert "Preregister design and plan</button>" not in client.get(ADDRESS).content.decode()
    assert _freeze(client).status_code == 403


def test_preregistration_that_there_is_not_is_not_found(researcher, study) -> None:
    assert researcher.get(f"{ADDRESS}7.json").status_code == 404


@pytest.mark.parametrize("n_preregistrations", [1, 3])
def test_page_takes_a_fixed_number_of_queries(researcher, study, n_preregistrations, django_assert_num_queries) -> None:
    for _ in range(n_preregistrations):
        _freeze(researcher)
    researcher.get(ADDRESS)

    # The study's switched-off metrics are among them: what they would have scored deviates from no plan. Three find out
    # what there is to be scored, and by that which metrics are offered. The badge takes one.
    with django_assert_num_queries(21):
        researcher.get(ADDRESS)

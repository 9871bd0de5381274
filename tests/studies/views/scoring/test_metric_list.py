import pytest

from metrics_plugins.runtime import load_registry
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW, make_user
from tests.plugins.installing import installed_broken_plugins, installed_plugins  # noqa: F401 - fixtures
from tests.studies.scored import make_scored_study

OUTSIDE = ("set-variety", "word-overlap", "word-rarity")


@pytest.fixture
def _outside_plugins(monkeypatch, installed_plugins):  # noqa: F811 - the fixture imported above
    monkeypatch.syspath_prepend(installed_plugins)


@pytest.fixture
def _broken_plugins(monkeypatch, installed_broken_plugins):  # noqa: F811 - the fixture imported above
    monkeypatch.syspath_prepend(installed_broken_plugins)


def test_metrics_names_each_with_its_package(researcher):
    content = researcher.get("/metrics/").content.decode()

    for registration in load_registry():
        assert f"<code>{registration.info.id}</code>" in content
        assert registration.distribution in content
    assert "Rejected plugins" not in content


@pytest.mark.usefixtures("_outside_plugins")
def test_outside_metrics_appear_on_the_page_and_in_the_admin(client, db):
    client.force_login(make_user("operator", is_staff=True, is_superuser=True))

    page, index = (client.get(address).content.decode() for address in ("/metrics/", "/admin/"))

    assert "accordance-example-metrics 1.2.0" in page
    for metric in OUTSIDE:
        assert f"<code>{metric}</code>" in page
        assert f"<code>{metric}</code>" in index


@pytest.mark.usefixtures("_outside_plugins")
def test_outside_metric_appears_among_the_results(researcher, owner):
    study = make_scored_study(owner=owner)

    score_study(study, now=lambda: NOW, metrics=["word-overlap"])

    table = researcher.get("/studies/study/").context["results"].table
    assert sorted(table.metrics) == ["length", "rouge-l", "word-overlap"]


@pytest.mark.usefixtures("_outside_plugins", "_broken_plugins")
def test_refused_plugins_appear_with_the_reason(client, db):
    client.force_login(make_user("operator", is_staff=True, is_superuser=True))

    page, index = (client.get(address).content.decode() for address in ("/metrics/", "/admin/"))

    for package in ("accordance-failing-import 0.1.0", "accordance-misspelled-hook", "accordance-taken-id"):
        assert package in page
        assert package in index
    assert "fails to import" in page
    assert "<code>word-overlap</code>" in page

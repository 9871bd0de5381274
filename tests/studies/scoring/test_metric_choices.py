import pytest

from studies.access.audit import COMMAND_LINE
from studies.analysis.reports import correlate_study
from studies.design.preregistration.deviations import Confirmation, DeviationNotConfirmed, find_registration
from studies.models import AuditEntry, Run, StudyMetric
from studies.scoring.metric_choices import (
    ParametersRefused,
    find_disabled,
    find_signatures,
    list_choices,
    set_parameters,
    switch_metric,
)
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.study_scoring import ScoringOptions, score_study
from tests.factories.studies import NOW
from tests.studies.preregistered import make_preregistration
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db
BECAUSE = Confirmation(is_given=True, reason="It is broken.")


@pytest.fixture
def study():
    return make_scored_study(score=False)


def choose(study, metric, **params):
    entry = load_catalog().get(metric)
    return set_parameters(study, entry=entry, params=params, actor=COMMAND_LINE, now=NOW)


def switch(study, metric, enabled):
    return switch_metric(study, metric=metric, enabled=enabled, actor=COMMAND_LINE, now=NOW)


def test_a_change_is_made_once_and_written_down(study):
    assert [switch(study, "length", enabled) for enabled in (False, False, True)] == [True, False, True]

    assert find_disabled(study) == frozenset()
    assert [entry.details["enabled"] for entry in AuditEntry.objects.order_by("pk")] == [False, True]


def test_a_metric_that_is_switched_off_is_left_out_unless_it_is_named(study):
    switch(study, "length", False)

    score_study(study, now=lambda: NOW, metrics=["length"])
    assert Run.objects.filter(metric="length").exists()
    report = score_study(study, now=lambda: NOW)

    assert "length" not in {metric.metric for each in report.inputs for metric in each.metrics}
    assert "length" not in dict(report.left_out)


def test_parameters_are_kept_where_they_differ_from_defaults(study):
    assert choose(study, "cider-d", n=3, sigma=6.0) == {"n": 3}
    assert choose(study, "cider-d", n=3) == {"n": 3}

    assert list_choices(study)["cider-d"].params == {"n": 3}
    assert [entry.details for entry in AuditEntry.objects.all()] == [{"metric": "cider-d", "was": {}, "is": {"n": 3}}]


def test_parameters_that_a_metric_does_not_take_leave_nothing(study):
    with pytest.raises(ParametersRefused) as refused:
        choose(study, "cider-d", n="many", m=3, sigma=2.0)

    assert refused.value.problems == {
        "n": "n must be of type int, got 'many'",
        "m": "unknown parameter m (known: n, sigma, df, tokenizer)",
    }
    assert not StudyMetric.objects.exists()


def test_a_parameter_names_no_file_but_those_of_its_dataset_and_of_the_operator(study, settings, tmp_path):
    settings.ACCORDANCE_RESOURCES = str(tmp_path / "resources")
    of_study, of_all, of_another = (
        tmp_path / "resources" / name for name in (f"datasets/{study.dataset_id}", "shared", "datasets/0")
    )
    for folder in (of_study, of_all, of_another):
        folder.mkdir(parents=True)
        (folder / f"{folder.name}.json").write_text("{}")

    inside = [f"{of_study.name}.json", "shared.json"]
    for text in ("/etc/passwd", "no-such-file", "../0/0.json", "0.json", str(of_all / "shared.json"), "~", ".."):
        with pytest.raises(ParametersRefused) as refused:
            choose(study, "cider-d", df=text)
        assert refused.value.problems == {
            "df": "df must name a file, or ARCHIVE!MEMBER, by its path within the files of the dataset or the "
            "operator's resources"
        }
    assert [choose(study, "cider-d", df=text) for text in inside] == [{"df": text} for text in inside]
    assert choose(study, "cider-d", df="") == {}


def test_the_command_chooses_the_scores_of_its_parameters(study):
    for params in ({}, {"n": 3}, {}):
        options = ScoringOptions(params={"cider-d": params} if params else {})
        score_study(study, now=lambda: NOW, metrics=["cider-d"], options=options)
        signature = correlate_study(study, metrics=["cider-d"]).signatures["cider-d"]
        assert signature.startswith(f"cider-d|n:{params.get('n', 4)}|")


def test_signatures_are_those_that_were_chosen(study):
    StudyMetric.objects.create(study=study, metric="length", signature="length|v:1")
    StudyMetric.objects.create(study=study, metric="rouge-l")

    assert find_signatures(study) == {"length": "length|v:1"}


def test_disabling_a_preregistered_metric_is_a_deviation(study):
    make_preregistration(study)

    with pytest.raises(DeviationNotConfirmed, match="metric length: preregistered enabled, now disabled"):
        switch(study, "length", False)
    assert find_disabled(study) == frozenset()
    assert not AuditEntry.objects.exists()

    switch_metric(study, metric="length", enabled=False, actor=COMMAND_LINE, now=NOW, confirmation=BECAUSE)

    assert find_disabled(study) == {"length"}
    assert AuditEntry.objects.get().details == {
        "metric": "length",
        "enabled": False,
        "deviates_from": 1,
        "deviations": ["metric length"],
        "deviation_reason": "It is broken.",
    }
    assert find_registration(study).has_deviations
    # To enable it again, and to disable others, is as planned.
    assert switch(study, "length", True)
    assert switch(study, "rouge-l", False)


def test_parameters_of_a_preregistered_metric_are_a_deviation(study):
    make_preregistration(study, metrics=["cider-d"])

    with pytest.raises(DeviationNotConfirmed, match="parameters of cider-d: preregistered defaults, now n=3"):
        choose(study, "cider-d", n=3)
    assert not StudyMetric.objects.filter(metric="cider-d").exclude(params={}).exists()

    entry = load_catalog().get("cider-d")
    given = {"actor": COMMAND_LINE, "now": NOW, "confirmation": BECAUSE}
    assert set_parameters(study, entry=entry, params={"n": 3}, **given) == {"n": 3}
    assert AuditEntry.objects.get().details["deviations"] == ["parameters of cider-d"]
    # The same parameters again change nothing.
    assert choose(study, "cider-d", n=3) == {"n": 3}
    assert choose(study, "rouge-s", distance=2) == {"distance": 2}

from datetime import timedelta

import pytest
from django.db import connection

import correlation
from studies.access.audit import COMMAND_LINE
from studies.analysis.explorer.choice import Choice
from studies.analysis.explorer.loaded_study import open_study
from studies.analysis.explorer.report import explore, list_unscored
from studies.analysis.fingerprint import fingerprint_results, list_runs, stamp_program
from studies.models import Exclusion, Judgment, JudgmentRevision, Run, ScoringInput, StudyVersion
from studies.scoring.metric_choices import choose_signatures, switch_metric
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW, make_judgment, make_rater
from tests.studies.scored import list_items, make_scored_study


def _add_judgment(study):
    make_judgment(list_items(study)[0], make_rater(study, "rater-2"))


def _erase_judgment(study):
    Judgment.objects.filter(rater__study=study).first().delete()


def _replace_judgment(study):
    judgment = Judgment.objects.filter(rater__study=study).last()
    judgment.delete()
    make_judgment(judgment.item, judgment.rater, judgment.value)


def _correct_judgment(study):
    judgment = Judgment.objects.filter(rater__study=study).last()
    JudgmentRevision.objects.create(judgment=judgment, value=judgment.value, created_at=NOW, replaced_at=NOW)


def _exclude_rater(study):
    Exclusion.objects.create(rater=study.raters.first(), reason="asleep", decided_at=NOW)


def _score_more(study):
    score_study(study, now=lambda: NOW, metrics=["bleu-1"])


def _erase_run(study):
    Run.objects.first().delete()


def _finish_run(study):
    Run.objects.filter(pk=Run.objects.first().pk).update(finished_at=NOW + timedelta(hours=1))


def _change_protocol(study):
    study.protocol = "composite@1"


def _change_design(study):
    StudyVersion.objects.create(study=study, number=7, design={}, created_at=NOW)


def _add_item(study):
    item = list_items(study)[0]
    item.pk, item.position = None, 99
    item.save()


def _add_input(study):
    found = study.dataset.scoring_inputs.first()
    ScoringInput.objects.filter(pk=found.pk).update(created_at=NOW + timedelta(hours=1))


def _switch_metric(study):
    switch_metric(study, metric="length", enabled=False, actor=COMMAND_LINE, now=NOW)


def _choose_scores(study):
    choose_signatures(study, {"length": "length|v:0"})


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        _add_judgment,
        _erase_judgment,
        _replace_judgment,
        _correct_judgment,
        _exclude_rater,
        _score_more,
        _erase_run,
        _finish_run,
        _change_protocol,
        _change_design,
        _add_item,
        _add_input,
        _switch_metric,
        _choose_scores,
    ],
)
def test_fingerprint_changes_with_what_results_depend_on(change):
    study = make_scored_study()
    before = fingerprint_results(study)

    change(study)

    assert fingerprint_results(study) != before


@pytest.mark.django_db
def test_fingerprint_stays_when_another_study_is_judged():
    study, other = make_scored_study(), make_scored_study("other", score=False)
    before = fingerprint_results(study)

    _add_judgment(other)

    assert fingerprint_results(study) == before


@pytest.mark.django_db
def test_fingerprint_stays_when_another_dataset_is_scored():
    study, other = make_scored_study(), make_scored_study("other", values=(3, 1, 2, 2), score=False)
    before = fingerprint_results(study)

    score_study(other, now=lambda: NOW, metrics=["length", "bleu-1"])
    _exclude_rater(other)
    _switch_metric(other)
    _change_design(other)

    assert Run.objects.count() == 4
    assert fingerprint_results(study) == before


PLUGIN = """
from metrics_plugins.api import Input, Level, Metric, MetricInfo, Scores, hookimpl

class Letters(Metric):
    info = MetricInfo(
        id="fingerprinted-letters", title="Letters", level=Level.SEGMENT, inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True, bounds=(0.0, float("inf")), version="VERSION", citation="none",
    )

    def score(self, batch):
        return Scores.make(batch.keys, [len(text) for text in batch.candidates])

@hookimpl
def register_metrics():
    return [Letters]
"""


@pytest.fixture
def plugin(settings, tmp_path):
    """A file of the plugins folder, which is there in the version that it is called with."""
    settings.ACCORDANCE_PLUGINS, settings.VAR_DIR = tmp_path / "plugins", tmp_path
    (tmp_path / "plugins").mkdir()

    def install(version):
        (tmp_path / "plugins" / "fingerprinted.py").write_text(PLUGIN.replace("VERSION", version))

    return install


@pytest.mark.django_db
def test_fingerprint_follows_the_plugins_that_the_study_uses(plugin):
    unscored, scored = make_scored_study(), make_scored_study("scored", values=(3, 1, 2, 2))
    digest = scored.dataset.scoring_inputs.get().digest
    told = Run.objects.filter(input_digest=digest).values().first()
    told |= {"id": None, "metric": "fingerprinted-letters", "signature": "fingerprinted-letters|v:1"}
    Run.objects.create(**told)
    prints = {"none": (fingerprint_results(unscored), fingerprint_results(scored))}

    for version in ("1", "2.0"):
        plugin(version)
        prints[version] = fingerprint_results(unscored), fingerprint_results(scored)

    assert len({of_unscored for of_unscored, _ in prints.values()}) == 1
    assert len({of_scored for _, of_scored in prints.values()}) == 3


@pytest.mark.django_db
def test_runs_of_other_datasets_are_not_read(django_assert_num_queries):
    study = make_scored_study()
    told = Run.objects.values().first()
    others = [Run(**told | {"id": None, "input_digest": f"{number:064}"}) for number in range(500)]
    Run.objects.bulk_create(others)

    with django_assert_num_queries(7):
        fingerprint_results(study)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
        plan = list_runs(study).explain()

    assert len(list_runs(study)) == 2
    assert "run_by_input" in plan


@pytest.mark.django_db
def test_a_newly_installed_plugin_is_told_of_beside_a_report_that_was_kept(plugin):
    study = make_scored_study()
    opened, choice = open_study(study), Choice()
    explored = explore(opened, choice)
    before = list_unscored(opened, explored)

    plugin("1")

    assert explore(open_study(study), choice) == explored
    assert sorted(set(list_unscored(opened, explored)) - set(before)) == ["fingerprinted-letters"]


def test_stamp_of_the_program_changes_with_its_source(monkeypatch, tmp_path):
    source = tmp_path / "correlation" / "__init__.py"
    source.parent.mkdir()
    monkeypatch.setattr(correlation, "__file__", str(source))
    stamps = []

    for text in ("first", "second", "first"):
        source.write_text(text)
        stamp_program.cache_clear()
        stamps.append(stamp_program())
    stamp_program.cache_clear()

    assert stamps[0] == stamps[2] != stamps[1]

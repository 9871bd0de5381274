import pytest

import correlation
from studies.domain.fingerprint import fingerprint_results, stamp_program
from studies.domain.scoring.scoring import score_study
from studies.models import Exclusion, Judgment, JudgmentRevision, Run
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


def _change_protocol(study):
    study.protocol = "composite@1"


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
        _change_protocol,
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
def test_fingerprint_takes_seven_queries(django_assert_num_queries):
    study = make_scored_study(score=False)

    with django_assert_num_queries(7):
        fingerprint_results(study)


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

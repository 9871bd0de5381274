import pytest

from studies.design.study_design import StudyDesign
from studies.design.study_facts import StudyFacts, load_facts
from studies.enums import TaskKind
from studies.models import StudyVersion
from tests.factories.studies import NOW, make_design, make_study


@pytest.mark.django_db
def test_load_facts_takes_the_newest_design():
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=3)
    newest = make_design(question="Which one?")
    StudyVersion.objects.create(study=study, number=2, design=newest.to_json(), created_at=NOW)

    assert load_facts(study) == StudyFacts(version=2, design=newest, n_tasks=3, n_items=3)


@pytest.mark.django_db
def test_load_facts_before_the_first_design():
    study = make_study(n_tasks=0)
    study.versions.all().delete()

    assert load_facts(study) == StudyFacts(version=0, design=StudyDesign(), n_tasks=0, n_items=0)

import pytest

from studies.enums import StudyState, TaskKind
from studies.models import Slot, Study
from tests.factories.open_studies import make_open_study
from tests.factories.studies import make_study


def test_open_then_close(researcher, owner):
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=2, owner=owner)

    opened = researcher.post("/studies/study/open/", follow=True)
    study.refresh_from_db()
    assert (study.state, Slot.objects.count()) == (StudyState.OPEN, 2)
    assert study.started_at is not None
    assert "The study is open." in opened.content.decode()

    closed = researcher.post("/studies/study/close/", follow=True)
    study.refresh_from_db()
    assert study.state == StudyState.CLOSED
    assert "The study is closed." in closed.content.decode()


def test_open_says_what_is_missing(researcher, owner):
    make_study(n_tasks=0, owner=owner)

    response = researcher.post("/studies/study/open/", follow=True)

    assert "study study cannot be opened: it has no task." in response.content.decode()
    assert Study.objects.get().state == StudyState.DRAFT


@pytest.mark.parametrize(("action", "message"), [("open", "is already open"), ("close", "The study is closed.")])
def test_second_click(researcher, owner, action, message):
    study = make_open_study()
    Study.objects.filter(pk=study.pk).update(owner=owner)

    assert message in researcher.post(f"/studies/study/{action}/", follow=True).content.decode()

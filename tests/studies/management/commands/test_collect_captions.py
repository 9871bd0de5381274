import pytest
from django.core.management import CommandError, call_command

from studies.enums import StudyState, TaskKind
from studies.models import Candidate, Item
from tests.factories.studies import make_judgment, make_rater, make_study


@pytest.mark.django_db
def test_prints_how_many_captions_became_candidates(capsys):
    study = make_study("writing", kind=TaskKind.CAPTION, state=StudyState.CLOSED)
    rater = make_rater(study)
    for item in Item.objects.filter(task__study=study):
        make_judgment(item, rater, None, answer={"caption": "A dog."})

    call_command("collect_captions", "writing", "--system", "people")

    assert capsys.readouterr().out == "writing: 2 captions added as candidates of people, 0 were before\n"
    assert Candidate.objects.filter(author=rater, system__name="people").count() == 2


@pytest.mark.django_db
def test_refusals_are_said_without_a_traceback():
    make_study("writing", kind=TaskKind.CAPTION)

    with pytest.raises(CommandError, match="study writing must be closed first"):
        call_command("collect_captions", "writing", "--system", "people")

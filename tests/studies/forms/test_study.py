import pytest

from studies.forms.study import StudyForm
from tests.factories.studies import make_study


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("protocol", "errors"),
    [
        ("flickr8k-cf@1", []),
        ("custom@1", []),
        ("flickr8k-expert@1|coef:spearman|level:nowhere", ["protocol"]),
        ("nonsense@1", ["protocol"]),
        ("pascal-50s@1", ["protocol"]),
    ],
)
def test_study_form_knows_the_protocols(protocol, errors):
    form = StudyForm({"title": "A study", "protocol": protocol}, instance=make_study())

    assert sorted(form.errors) == errors

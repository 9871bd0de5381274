import pytest
from django.core.management import call_command

from studies.design.study_design import ExclusionRules
from studies.enums import TaskRole
from studies.models import Item, Task
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import make_judgment, make_rater
from tests.studies.scored import list_items

pytestmark = pytest.mark.django_db


def test_prints_records_and_applies_the_rules(capsys):
    study = make_designed_study(n_tasks=2, exclusion_rules=ExclusionRules(failed_checks=0))
    items = list_items(study)
    task = Task.objects.create(study=study, position=2, role=TaskRole.ATTENTION)
    check = Item.objects.create(
        task=task, position=0, key="check", image=items[0].image, candidate=items[0].candidate, expected=[4.0]
    )
    for name, seconds, right in (("ann", 4, 4.0), ("bob", 8, 1.0)):
        rater = make_rater(study, name)
        for item, value in zip(items, (1.0, 3.0), strict=True):
            make_judgment(item, rater, value, elapsed_ms=1000 * seconds)
        make_judgment(check, rater, right)

    call_command("quality", "study", "--apply")

    assert capsys.readouterr().out.splitlines() == [
        "excluded bob: 1 failed checks; 0 are allowed",
        "rater  outcome  n  seconds  pace  same  run  first  agreement  failed  p perturbed",
        "ann    at work  2      4.0  0.67  0.50    1      -       1.00     0/1            -",
        "bob    at work  2      8.0  1.33  0.50    1      -       1.00     1/1            -",
        "",
        "bob: meets failed_checks: 1 failed checks; 0 are allowed",
        "bob: is excluded: 1 failed checks; 0 are allowed",
    ]

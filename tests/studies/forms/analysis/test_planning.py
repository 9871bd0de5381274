"""Tests of the planner's form, with separate fields for each question."""

from studies.analysis.planning import QUESTIONS
from studies.forms.analysis.planning import PlanForm


def test_every_field_stands_in_one_group():
    form = PlanForm(pilots=[])

    names = [field.name for group in form.groups for field in group.visible_fields]

    assert sorted(names) == sorted(form.fields)


def test_what_belongs_to_one_question_is_in_its_group():
    by_group = {group.name: {field.name for field in group.visible_fields} for group in PlanForm(pilots=[]).groups}

    for name, question in QUESTIONS.items():
        others = set().union(*(by_group[other] for other in QUESTIONS if other != name))
        assert not others & {*question.needs, *question.may}

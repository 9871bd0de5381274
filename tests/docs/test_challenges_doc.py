"""Tests of docs/challenges.md: its plan makes a challenge that can be opened."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from challenges.models import Challenge
from studies.models import Image, Reference
from tests.factories.studies import make_dataset, make_user

TEXT = (Path(__file__).resolve().parents[2] / "docs/challenges.md").read_text()


@pytest.mark.django_db
def test_plan_makes_a_challenge_that_can_be_opened(tmp_path, capsys):
    (plan,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    # A phase that is over prevents the opening.
    (tmp_path / "plan.toml").write_text(re.sub(r"(?<=closes_at = )\d{4}", "2999", plan))
    image = Image.objects.create(dataset=make_dataset("demo"), key="1")
    Reference.objects.bulk_create(Reference(image=image, position=n, text=f"a dog {n}") for n in range(5))
    make_user("demo")

    call_command("create_challenge", tmp_path / "plan.toml", owner="demo")

    assert "before it can be opened" not in capsys.readouterr().out
    assert [(each.slug, each.references.get().count) for each in Challenge.objects.get().phases.all()] == [("dev", 5)]

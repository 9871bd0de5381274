"""Tests of docs/challenges.md: its plan makes a challenge that can be opened."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from django.utils import timezone

from challenges.models import Challenge, Submission
from jobs.worker.running import run_waiting_jobs
from studies.models import Image, Reference
from tests.factories.studies import make_dataset, make_user

TEXT = (Path(__file__).resolve().parents[2] / "docs/challenges.md").read_text()
PLANS = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
"""A challenge, and baselines of its last phase."""


def open_late(plan):
    # A phase that is over prevents the opening.
    return re.sub(r"(?<=closes_at = )\d{4}", "2999", plan)


@pytest.mark.django_db
def test_plan_makes_a_challenge_that_can_be_opened(tmp_path, capsys):
    plan, _ = PLANS
    (tmp_path / "plan.toml").write_text(open_late(plan))
    image = Image.objects.create(dataset=make_dataset("demo"), key="1")
    Reference.objects.bulk_create(Reference(image=image, position=n, text=f"a dog {n}") for n in range(5))
    make_user("demo")

    call_command("create_challenge", tmp_path / "plan.toml", owner="demo")

    assert "before it can be opened" not in capsys.readouterr().out
    assert [(each.slug, each.references.get().count) for each in Challenge.objects.get().phases.all()] == [("dev", 5)]


@pytest.mark.django_db
def test_baselines_of_the_plan_and_of_the_command_are_scored(tmp_path, settings, monkeypatch):
    settings.MEDIA_ROOT = tmp_path / "media"
    monkeypatch.chdir(tmp_path)
    dataset = make_dataset("demo")
    for key in ("11", "12"):
        image = Image.objects.create(dataset=dataset, key=key)
        Reference.objects.bulk_create(Reference(image=image, position=n, text=f"a dog {n}") for n in range(5))
    training = [{"image_id": 1, "caption": "A cat."}, {"image_id": 2, "caption": "A dog."}]
    Path("captions_train.json").write_text(json.dumps({"annotations": training}))
    np.savez("features_train.npz", keys=np.array(["1", "2"]), features=np.eye(2))
    np.savez("features_test.npz", keys=np.array(["11", "12"]), features=np.eye(2))
    results = [{"image_id": 11, "caption": "a cat"}, {"image_id": 12, "caption": "a dog"}]
    Path("captions_test_showandtell_results.json").write_text(json.dumps(results))
    Path("plan.toml").write_text("".join(map(open_late, PLANS)))

    call_command("create_challenge", "plan.toml")
    (command,) = re.findall(r"^python manage.py (add_baseline .*)$", TEXT, re.MULTILINE)
    call_command(*command.split(), name="Again")
    run_waiting_jobs(now=timezone.now)

    made = Submission.objects.filter(is_baseline=True, state="scored").values_list("team__name", flat=True)
    assert set(made) == {"Common caption", "Human", "Nearest neighbour", "Show and Tell", "Again"}

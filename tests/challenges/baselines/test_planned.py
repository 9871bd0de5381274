"""Tests of baselines in plans, by command, in copies of challenges, and by nearest neighbours."""

import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from challenges.baselines.adding import list_baselines
from challenges.errors import ChallengeRefused
from challenges.hosting.creation import clone_challenge, make_challenge
from challenges.hosting.plans import read_plan
from challenges.models import Baseline, Challenge
from studies.access.audit import COMMAND_LINE
from studies.shared.errors import ImportFailed
from studies.shared.files import SourceFile
from tests.challenges.baselines.adding import add, read_captions, write_training
from tests.challenges.challenges import CAPTIONS, make_phase, score_all, write_results
from tests.challenges.challenges import make_challenge as make_captions
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db
PLAN = """
slug = "planned"
title = "Planned"
dataset = "captions-data"
[[phases]]
slug = "dev"
title = "Development"
opens_at = 2999-01-01T00:00:00Z
closes_at = 2999-01-02T00:00:00Z
metrics = [{ metric = "rouge-l" }]
references = [{ name = "c2", count = 2 }]
"""
ALL = """
baselines = [
  { kind = "common-caption", captions = "training.json" },
  { kind = "nearest-neighbour", captions = "training.json", features = "features.npz", test_features = "test.npz" },
  { kind = "human", seed = 3 },
  { kind = "file", name = "Plain", results = "plain.json" },
]
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with the files that `ALL` names; images of the phase are similar to those for training in order."""
    folder = tmp_path / "plan"
    folder.mkdir()
    seen = {"1": ("a dog",), "2": ("people",), "3": ("a cat",), "4": ("a man",)}
    (folder / "training.json").write_bytes(write_training(seen))
    (folder / "plain.json").write_bytes(write_results())
    np.savez(folder / "features.npz", keys=np.array(list(seen)), features=np.eye(4))
    np.savez(folder / "test.npz", keys=np.array(list(CAPTIONS)), features=np.eye(4) + 0.1)
    return folder


def run(name, *arguments, **options):
    out = StringIO()
    call_command(name, *arguments, stdout=out, **options)
    return out.getvalue()


def write_plan(folder, baselines):
    (folder / "plan.toml").write_text(PLAN + baselines)
    return folder / "plan.toml"


def list_made(phase):
    return [(each.submission.team.name, each.kind, each.seed, each.submission.state) for each in list_baselines(phase)]


MADE = [
    ("Common caption", "common-caption", None, "scored"),
    ("Nearest neighbour", "nearest-neighbour", None, "scored"),
    ("Human", "human", 3, "scored"),
    ("Plain", "file", None, "scored"),
]


def test_a_plan_makes_baselines_which_a_copy_has_as_well(folder):
    make_captions()
    run("create_challenge", write_plan(folder, ALL))
    score_all(timezone.now())

    challenge = Challenge.objects.get(slug="planned")
    phase = challenge.phases.get()
    assert list_made(phase) == MADE
    made = {each.kind: read_captions(each.submission) for each in list_baselines(phase)}
    assert made["nearest-neighbour"] == dict(zip(CAPTIONS, (["a dog"], ["people"], ["a cat"], ["a man"]), strict=True))
    copy = clone_challenge(challenge, slug="again", owner=make_user("owner"), actor=COMMAND_LINE, now=NOW)
    score_all(timezone.now())
    assert list_made(copy.phases.get()) == MADE
    assert {each.kind: read_captions(each.submission) for each in list_baselines(copy.phases.get())} == made


def test_a_copy_has_baselines_that_are_not_scored_yet_and_none_that_failed():
    phase = make_phase(make_captions())
    add(phase, "file", name="Broken", content=b"[]")
    score_all(timezone.now())
    add(phase, "common-caption")

    copy = clone_challenge(phase.challenge, slug="again", owner=None, actor=COMMAND_LINE, now=NOW)
    score_all(timezone.now())

    assert list_made(copy.phases.get()) == [("Common caption", "common-caption", None, "scored")]


@pytest.mark.parametrize(
    ("baseline", "problem"),
    [
        ('kind = "common-caption"', "phase dev, baseline common-caption: must name captions, got none"),
        ('kind = "human", results = "plain.json"', "must name no files, got results"),
        ('kind = "nearest-neighbour", captions = "training.json"', "must name captions, features, got captions"),
        ('kind = "file", name = "A", results = "none.json"', "none.json cannot be read: No such file"),
        ('kind = "common-caption", captions = "features.npz"', "must end with .json, got features.npz"),
        (
            'kind = "nearest-neighbour", captions = "training.json", features = "features.npz"',
            "has no features of 4 of 4 images, such as '10'",
        ),
        (
            'kind = "nearest-neighbour", captions = "training.json", features = "features.npz", '
            'test_features = "test.npz", neighbours = 0',
            "neighbours: must be 1 to 10,000",
        ),
        ('kind = "best"', "kind: must be one of"),
        ('kind = "human", seed = -1', "seed: must be 0 to 2,147,483,647"),
    ],
)
def test_a_baseline_that_cannot_be_made_leaves_no_challenge(folder, settings, baseline, problem):
    make_captions()
    first = '{ kind = "file", name = "Plain", results = "plain.json" }'
    with pytest.raises(CommandError, match=problem):
        run("create_challenge", write_plan(folder, f"baselines = [{first}, {{ {baseline} }}]"))

    assert (Challenge.objects.count(), Baseline.objects.count()) == (1, 0)
    assert [path for path in settings.MEDIA_ROOT.rglob("*.json") if path.parent != folder] == []


def test_a_plan_that_is_sent_names_no_files(folder):
    make_captions()
    plan = read_plan(SourceFile("plan", (PLAN + ALL).encode()))

    with pytest.raises(ChallengeRefused, match="a plan that is sent cannot name files"):
        make_challenge(plan, owner=None, actor=COMMAND_LINE, now=NOW)


def test_the_command_adds_baselines(folder):
    phase = make_phase(make_captions())
    files = ["--captions", folder / "training.json", "--features", folder / "features.npz"]
    files += ["--test-features", folder / "test.npz"]

    said = run("add_baseline", "captions", "test", "--kind", "nearest-neighbour", "--name", "Nearest", *files)
    run("add_baseline", "captions", "test", "--kind", "human", "--seed", "4")
    score_all(timezone.now())

    assert said == "baseline Nearest: queued for scoring in phase test\n"
    assert list_made(phase) == [("Nearest", "nearest-neighbour", None, "scored"), ("Human", "human", 4, "scored")]
    with pytest.raises(CommandError, match="there is no phase 'dev' of a challenge 'captions'"):
        run("add_baseline", "captions", "dev", "--kind", "human")
    with pytest.raises(CommandError, match="must have at most 60 characters"):
        run("add_baseline", "captions", "test", "--kind", "human", "--name", "x" * 61)


def test_neighbours_of_images_of_the_phase_itself_are_refused(folder):
    make_phase(make_captions())
    (folder / "training.json").write_text(json.dumps([{"image_id": 10, "caption": "a dog"}]))
    np.savez(folder / "features.npz", keys=np.array(list(CAPTIONS)), features=np.eye(4))

    with pytest.raises(CommandError, match="training captions must be of other images than those of the phase"):
        run(
            "add_baseline",
            "captions",
            "test",
            "--kind",
            "nearest-neighbour",
            "--captions",
            folder / "training.json",
            "--features",
            folder / "features.npz",
        )


def test_fields_of_a_plan_are_checked():
    with pytest.raises(ImportFailed, match=r"phases\[1\].baselines\[1\]"):
        read_plan(SourceFile("plan", (PLAN + 'baselines = [{ kind = "human", seeds = 1 }]').encode()))

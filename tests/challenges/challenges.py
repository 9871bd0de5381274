"""Factories of challenges with a dataset of real size for a test, its teams and their results."""

import json
from datetime import timedelta

from challenges.enums import ChallengeState
from challenges.models import Challenge, Phase, PhaseMetric, PhaseReferences, Team, TeamMember
from challenges.submissions.receiving import receive_chunks
from jobs.worker.running import run_waiting_jobs
from studies.models import Image, Reference
from tests.factories.studies import NOW, make_dataset, make_user

METRICS = ("cider-d", "rouge-l", "bleu-4")
CAPTIONS = {
    "10": ("a dog runs on the green grass", "a brown dog running outside", "the dog plays in a park"),
    "11": ("two people ride bicycles on a road", "a couple cycling down the street", "people on bikes"),
    "12": ("a cat sleeps on a red sofa", "the cat is lying on a couch", "a sleeping cat indoors"),
    "13": ("a man holds a large umbrella in rain", "a person with an umbrella"),
}


def make_challenge(slug="captions", *, owner=None, state=ChallengeState.OPEN, **extra):
    """Make a challenge on a dataset of its own, whose images have two or three references."""
    dataset = make_dataset(f"{slug}-data")
    for key, texts in CAPTIONS.items():
        image = Image.objects.create(dataset=dataset, key=key)
        for position, text in enumerate(texts):
            Reference.objects.create(image=image, position=position, text=text)
    return Challenge.objects.create(
        slug=slug, title=slug.title(), dataset=dataset, owner=owner, state=state, created_at=NOW, **extra
    )


def make_phase(challenge, *, slug="test", metrics=METRICS, references=(("c2", 2), ("c3", 3)), **extra):
    """Make a phase that is open at `NOW`, with references c2 of all images and c3 of three of the four."""
    given = {"title": "Test", "opens_at": NOW - timedelta(days=2), "closes_at": NOW + timedelta(days=30), **extra}
    phase = Phase.objects.create(challenge=challenge, slug=slug, **given)
    for position, metric in enumerate(metrics):
        PhaseMetric.objects.create(phase=phase, metric=metric, position=position)
    for position, (name, count) in enumerate(references):
        PhaseReferences.objects.create(phase=phase, name=name, count=count, position=position)
    return phase


def make_team(challenge, name="team"):
    """Make a team with one member of the same name."""
    team = Team.objects.create(challenge=challenge, name=name, created_at=NOW)
    TeamMember.objects.create(team=team, challenge=challenge, user=make_user(f"member-of-{name}"), joined_at=NOW)
    return team


def write_results(**changes):
    """Return a file of results that captions every image; `changes` by image, as in `_10="a dog"`."""
    captions = {"10": "a dog runs outside", "11": "people ride bikes", "12": "a cat on a sofa", "13": "a man in rain"}
    captions |= {key.removeprefix("_"): text for key, text in changes.items()}
    return json.dumps([{"image_id": int(key), "caption": text} for key, text in captions.items()]).encode()


def submit(phase, *, team, content=None, now=NOW):
    """Submit a whole file by the team's first member."""
    user = team.members.first().user
    given = write_results() if content is None else content
    return receive_chunks(
        phase,
        team=team,
        user=user,
        name="captions_test_mine_results.json",
        n_bytes=len(given),
        chunks=[given],
        now=now,
    )


def score_all(now=NOW):
    """Run all waiting jobs, as a worker does."""
    run_waiting_jobs(now=lambda: now)

"""Tests of challenges made from plans, by the command as well, and of their copies."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from challenges.errors import ChallengeRefused
from challenges.hosting.creation import clone_challenge, make_challenge
from challenges.hosting.plans import read_plan
from challenges.models import Challenge, ChallengeEvent
from studies.access.audit import COMMAND_LINE
from studies.models import Dataset
from studies.shared.errors import ImportFailed
from studies.shared.files import SourceFile
from tests.challenges.challenges import make_challenge as make_captions
from tests.factories.studies import NOW, make_user

pytestmark = pytest.mark.django_db
PLAN = Path(__file__).with_name("plan.toml")


def read(text):
    return read_plan(SourceFile("plan.toml", text.encode()))


@pytest.fixture(autouse=True)
def dataset():
    dataset = make_captions("taken").dataset
    Dataset.objects.filter(pk=dataset.pk).update(name="photos")
    return dataset


def list_phases(challenge):
    return [
        (
            phase.slug,
            phase.time_zone,
            phase.per_day,
            phase.entry_rule,
            phase.visibility,
            phase.shows_intervals,
            [image.key for image in phase.images.order_by("key")],
            [(each.metric, each.params) for each in phase.metrics.all()],
            [(each.name, each.start, each.count) for each in phase.references.all()],
        )
        for phase in challenge.phases.all()
    ]


PHASES = [
    (
        "dev",
        "Europe/Berlin",
        2,
        "best",
        "all",
        True,
        ["10", "11"],
        [("cider-d", {}), ("bleu-4", {})],
        [("c2", 0, 2)],
    ),
    (
        "test",
        "UTC",
        5,
        "latest",
        "participant",
        False,
        [],
        [("rouge-l", {"tokenizer": "ptb"})],
        [("c3", 0, 3), ("rest", 1, None)],
    ),
]


def test_a_plan_becomes_a_draft_and_is_copied(dataset):
    owner = make_user("owner")
    made = make_challenge(read(PLAN.read_text()), owner=owner, actor=COMMAND_LINE, now=NOW)

    assert (made.state, made.dataset, made.owner, made.is_anonymous) == ("draft", dataset, owner, True)
    assert list_phases(made) == PHASES
    copy = clone_challenge(made, slug="again", owner=owner, actor=COMMAND_LINE, now=NOW)
    assert list_phases(copy) == list_phases(made) == PHASES
    assert (copy.terms, copy.state) == ("Be fair.", "draft")
    events = ChallengeEvent.objects.order_by("pk").values_list("challenge__slug", "action", "details")
    assert list(events) == [("coco", "created", {}), ("again", "cloned", {"from": "coco"})]
    with pytest.raises(ChallengeRefused, match="already a challenge 'again'"):
        clone_challenge(made, slug="again", owner=owner, actor=COMMAND_LINE, now=NOW)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"photos"', '"paintings"', "no dataset 'paintings'"),
        ('slug = "coco"', 'slug = "taken"', "already a challenge 'taken'"),
        ('slug = "dev"', 'slug = "test"', "phase test: occurs twice"),
        ('["10", "11"]', '["10", "99"]', "phase dev: the dataset lacks 1 images"),
        ("2025-04-01T00:00:00Z", "2025-03-01T00:00:00Z", "phase dev: must open before it closes"),
        ('"bleu-4"', '"cider-d"', "each once"),
        ('"bleu-4"', '"best"', "metric best"),
        ("tokenizer =", "stemmer =", "metric rouge-l"),
        ('metric = "cider-d"', 'metric = "cider-d", params = { df = "/etc/passwd" }', "the parameter df names a file"),
    ],
)
def test_a_plan_that_does_not_fit_leaves_nothing(old, new, problem):
    plan = read(PLAN.read_text().replace(old, new, 1))
    with pytest.raises(ChallengeRefused, match=problem):
        make_challenge(plan, owner=None, actor=COMMAND_LINE, now=NOW)
    assert Challenge.objects.count() == 1


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("slug =", "slug", "must be TOML"),
        ('slug = "coco"', 'slug = "Co co"', "slug: must be lower-case letters"),
        ("terms =", "term =", "term"),
        ("per_day = 2", "per_day = 0", "per_day: must be 1 to 10,000"),
        ('"Europe/Berlin"', '"Berlin"', "must be a time zone"),
        ("2025-03-01T00:00:00Z", "2025-03-01T00:00:00", "must have a time zone"),
        ('visibility = "all"', 'visibility = "none"', "visibility"),
        ('title = "Test"\n', "", "title"),
    ],
)
def test_a_faulty_plan_is_refused_with_the_field(old, new, problem):
    with pytest.raises(ImportFailed, match=problem):
        read(PLAN.read_text().replace(old, new, 1))


def test_the_command_makes_a_draft_and_says_what_prevents_its_opening():
    out, owner = StringIO(), make_user("owner")
    call_command("create_challenge", PLAN, owner="owner", stdout=out)

    assert "challenge coco: a draft with 2 phases" in out.getvalue()
    assert "before it can be opened: phase dev: it has already ended" in out.getvalue()
    assert Challenge.objects.get(slug="coco").owner == owner
    with pytest.raises(CommandError, match="already a challenge"):
        call_command("create_challenge", PLAN, stdout=out)

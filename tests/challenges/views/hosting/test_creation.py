"""Tests of making a challenge in the browser."""

import pytest

from challenges.hosting.actions import find_problems
from challenges.models import Challenge, Phase
from studies.enums import TaskKind
from studies.models import Image, Reference, Study
from tests.factories.studies import NOW, make_dataset, make_user

pytestmark = pytest.mark.django_db
NEW = "/new-challenge/"
GIVEN = {
    "title": "Captions of photos",
    "slug": "photos",
    "dataset": "photo-data",
    "description": "Caption *photos*.",
    "terms": "Be fair.",
    "team_size": "3",
    "most_teams": "20",
    "is_anonymous": "on",
}
PHASE = {
    "title": "Test",
    "slug": "test",
    "time_zone": "Europe/Berlin",
    "opens_at": "2025-03-01T00:00",
    "closes_at": "2025-07-01T00:00",
    "captions_per_image": "1",
    "ranks_by": "rouge-l",
    "metrics": ["bleu-4", "cider-d"],
    "references": "c1=1, all",
    "per_day": "2",
    "in_all": "20",
    "visibility": "after_end",
    "shows_intervals": "on",
    "decimals": "4",
    "entry_rule": "latest",
}
UNTOUCHED = {
    "time_zone": "UTC",
    "captions_per_image": "1",
    "ranks_by": "cider-d",
    "references": "all",
    "per_day": "5",
    "in_all": "100",
    "visibility": "participant",
    "decimals": "3",
    "entry_rule": "best",
}


def write(challenge=GIVEN, *phases):
    """Return what a browser sends: the forms of phases that are not filled in have their initial values."""
    sent = {**challenge, "phases-TOTAL_FORMS": "3", "phases-INITIAL_FORMS": "0"}
    for number in range(3):
        phase = phases[number] if number < len(phases) else UNTOUCHED
        sent |= {f"phases-{number}-{name}": value for name, value in phase.items()}
    return sent


def own_dataset(name, owner):
    """Make a dataset with references, of a study that somebody owns."""
    dataset = make_dataset(name)
    image = Image.objects.create(dataset=dataset, key="1")
    Reference.objects.create(image=image, position=0, text="a dog on grass")
    given = {"kind": TaskKind.RATING, "protocol": "flickr8k-expert@1", "created_at": NOW}
    Study.objects.create(dataset=dataset, name=f"study-of-{name}", title="Study", owner=owner, **given)
    return dataset


@pytest.fixture
def host(client):
    """A browser in which somebody is logged in who owns a study of the dataset `photo-data`."""
    user = make_user("owner")
    own_dataset("photo-data", user)
    client.force_login(user)
    return client


def test_a_draft_is_made_with_all_that_was_given(host):
    made = host.post(NEW, write(GIVEN, PHASE, {**PHASE, "slug": "second", "title": "Second", "metrics": []}))

    challenge = Challenge.objects.get()
    first, second = challenge.phases.all()
    assert (made.status_code, made.url) == (302, "/challenges/photos/host/")
    assert (challenge.state, challenge.owner.username, challenge.is_anonymous) == ("draft", "owner", True)
    assert (challenge.dataset.name, challenge.terms, challenge.team_size) == ("photo-data", "Be fair.", 3)
    assert [each.metric for each in first.metrics.all()] == ["rouge-l", "bleu-4", "cider-d"]
    assert [(each.name, each.count) for each in first.references.all()] == [("c1", 1), ("all", None)]
    # Midnight in Berlin: an hour before that of UTC in winter, two in summer.
    assert [first.opens_at.isoformat(), first.closes_at.isoformat()] == [
        "2025-02-28T23:00:00+00:00",
        "2025-06-30T22:00:00+00:00",
    ]
    assert (first.per_day, first.in_all, first.decimals) == (2, 20, 4)
    assert (first.visibility, first.entry_rule, first.shows_intervals) == ("after_end", "latest", True)
    assert [each.metric for each in second.metrics.all()] == ["rouge-l"]
    assert [each.action for each in challenge.events.all()] == ["created"]
    assert find_problems(challenge, now=NOW) == []


@pytest.mark.parametrize(
    ("changes", "phase", "told"),
    [
        ({"slug": ""}, {}, "This field is required."),
        ({"slug": "Photos"}, {}, "lower-case letters, digits and hyphens"),
        ({}, {"time_zone": "Mars"}, "This must be a time zone such as Europe/Berlin, got Mars"),
        ({}, {"closes_at": "2025-02-01T00:00"}, "must open before it closes"),
        ({}, {"references": "the first five"}, "This must be a list of names with numbers"),
        ({}, {"references": "c1=1, c1=2"}, "each once"),
        ({}, {"ranks_by": "clip-score"}, "Select a valid choice"),
        ({}, {"opens_at": ""}, "This field is required."),
    ],
)
def test_errors_are_told_and_nothing_is_made(host, changes, phase, told):
    refused = host.post(NEW, write({**GIVEN, **changes}, {**PHASE, **phase}))

    assert refused.status_code == 422
    assert told in refused.content.decode()
    assert not Challenge.objects.exists()
    assert not Phase.objects.exists()


def test_a_name_is_taken_once(host):
    host.post(NEW, write(GIVEN, PHASE))

    refused = host.post(NEW, write(GIVEN, PHASE))

    assert (refused.status_code, Challenge.objects.count()) == (422, 1)
    assert "There is already a challenge &#x27;photos&#x27;" in refused.content.decode()


def test_only_datasets_of_own_studies_can_be_chosen(host):
    """Scores tell about references, so the dataset of a study of others is out of reach."""
    own_dataset("others-data", make_user("other"))
    # Without references.
    make_dataset("empty-data")

    page = host.get(NEW).content.decode()
    refused = host.post(NEW, write({**GIVEN, "dataset": "others-data"}, PHASE))

    assert "photo-data" in page
    assert "others-data" not in page
    assert "empty-data" not in page
    assert (refused.status_code, Challenge.objects.count()) == (422, 0)


def test_somebody_without_a_dataset_is_told_what_to_do(client):
    client.force_login(make_user("newcomer"))

    assert b"A challenge needs a dataset with references" in client.get(NEW).content


def test_nothing_of_the_form_is_needed_from_a_browser_that_adds_no_phase(host):
    refused = host.post(NEW, {**GIVEN, "phases-TOTAL_FORMS": "0", "phases-INITIAL_FORMS": "0"})

    assert (refused.status_code, Challenge.objects.count()) == (422, 0)
    assert host.post(NEW, {}).status_code == 422

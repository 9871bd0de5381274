"""Tests of the pages on which hosts add and remove baselines, and that nobody else gets to their captions."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from challenges.models import Baseline, ChallengeEvent, Submission, Team
from tests.challenges.api.programs import make_host_program, make_program
from tests.challenges.api.test_access import PLAN, own_dataset
from tests.challenges.baselines.adding import add, read_captions, write_training
from tests.challenges.challenges import score_all, write_results
from tests.challenges.people import HOSTS, PEOPLE

pytestmark = pytest.mark.django_db
ROOT = "/challenges/captions/"
API = "/api/v1/challenges/captions/"


@pytest.fixture
def host(client, arena):
    """A browser in which a host is logged in who does not own the challenge."""
    client.force_login(arena.people["cohost"])
    return client


def upload(content, name="given.json"):
    return SimpleUploadedFile(name, content, content_type="application/json")


def test_baselines_are_added_listed_and_removed_on_pages(host, arena):
    address = f"{ROOT}phases/test/baselines/"
    assert f'href="{address}"' in host.get(f"{ROOT}host/").content.decode()
    assert "There are no baselines yet" in host.get(address).content.decode()
    assert 'enctype="multipart/form-data"' in host.get(f"{address}new/").content.decode()

    for given in (
        {"kind": "common-caption", "seed": 1, "file": upload(write_training())},
        {"kind": "human", "seed": 9},
        {"kind": "file", "name": "Plain", "seed": 1, "file": upload(write_results())},
    ):
        answer = host.post(f"{address}new/", given)
        assert (answer.status_code, answer["Location"]) == (302, address)
    score_all(timezone.now())

    page = host.get(address).content.decode()
    assert [name in page for name in (">Common caption</a>", ">Human</a>", ">Plain</a>", "Scored")] == [True] * 4
    assert list(Baseline.objects.values_list("seed", flat=True)) == [None, 9, None]
    assert {each.made_by for each in Submission.objects.filter(is_baseline=True)} == {arena.people["cohost"]}
    # Teams and baselines are apart.
    hosting = host.get(f"{ROOT}host/").content.decode()
    assert ">Plain" not in hosting.split('id="teams"')[1].split("</table>")[0]
    assert 'Plain <span class="label">baseline</span>' in hosting.split('id="submissions"')[1]

    submission = Submission.objects.get(team__name="Plain")
    remove = f"{ROOT}submissions/{submission.token}/remove/"
    assert host.post(remove, {"reason": " "}).status_code == 422
    assert host.post(remove, {"reason": "Not plain."})["Location"] == address
    assert ">Plain</a>" not in host.get(address).content.decode()
    assert ">Plain" not in host.get(f"{ROOT}phases/test/leaderboard/").content.decode()
    assert "Not plain." in Client().get(ROOT).content.decode()


def test_refusals_are_shown_in_the_form(host, arena):
    address = f"{ROOT}phases/test/baselines/new/"

    for given, words in (
        ({"kind": "common-caption", "seed": 1}, "Common caption: give a file of training captions."),
        ({"kind": "file", "seed": 1, "file": upload(write_results())}, "must have 1 to 60 characters, got 0"),
        ({"kind": "nearest-neighbour", "seed": 1}, "Select a valid choice"),
        ({"kind": "human", "seed": 1, "name": "Lynx"}, "there is already a team with the name"),
    ):
        answer = host.post(address, given)
        assert answer.status_code == 422
        assert words.lower() in answer.content.decode().lower()
    assert Baseline.objects.count() == 0


def test_a_teams_submission_is_not_removed_as_a_baseline(host, arena):
    answer = host.post(f"{ROOT}submissions/{arena.scored.token}/remove/", {"reason": "Why not."})

    assert answer.status_code == 422
    assert not ChallengeEvent.objects.exists()


def test_baselines_by_api(arena):
    program = make_host_program(arena.people["owner"])
    address = f"{API}phases/test/baselines/"

    sent = program.post(address, {"kind": "common-caption", "file": upload(write_training())})
    people = program.post(address, {"kind": "human", "seed": 2}, content_type="application/json")
    refused = program.post(address, {"kind": "human", "seed": 2}, content_type="application/json")
    score_all(timezone.now())

    assert (sent.status_code, sent.json()["name"], sent.json()["submission"]["state"]) == (
        202,
        "Common caption",
        "received",
    )
    assert (people.status_code, refused.status_code) == (202, 409)
    listed = program.get(address).json()["results"]
    assert [(each["name"], each["kind"], each["seed"], each["submission"]["state"]) for each in listed] == [
        ("Common caption", "common-caption", None, "scored"),
        ("Human", "human", 2, "scored"),
    ]
    assert {each["team"] for each in program.get(f"{API}host/teams/").json()["results"]} == set(
        Team.objects.filter(is_baseline=False).values_list("pk", flat=True)
    )
    token = listed[1]["submission"]["submission"]
    removed = program.post(
        f"{API}submissions/{token}/remove/", {"reason": "A mistake."}, content_type="application/json"
    )
    assert (removed.status_code, removed.json()["disqualified_because"]) == (200, "A mistake.")
    assert [each["name"] for each in program.get(address).json()["results"]] == ["Common caption"]


def test_a_dry_run_of_a_plan_with_human_captions_stores_nothing(arena, settings):
    own_dataset(arena)
    program = make_host_program(arena.people["owner"])
    plan = {**PLAN, "phases": [{**PLAN["phases"][0], "baselines": [{"kind": "human"}]}]}
    before = sorted(settings.MEDIA_ROOT.rglob("*"))

    tried = program.post("/api/v1/challenges/?dry_run=true", plan, content_type="application/json")
    assert (tried.status_code, Baseline.objects.count()) == (200, 0)
    assert sorted(settings.MEDIA_ROOT.rglob("*")) == before
    made = program.post("/api/v1/challenges/", plan, content_type="application/json")
    assert (made.status_code, Baseline.objects.count()) == (201, 1)


@pytest.mark.parametrize("kind", ["human", "common-caption"])
def test_nobody_but_hosts_sees_a_baselines_submission_and_nobody_its_captions(client, arena, kind):
    submission = add(arena.phase, kind, now=timezone.now()).submission
    score_all(timezone.now())
    texts = {text for texts in read_captions(submission).values() for text in texts}
    addresses = [f"{ROOT}submissions/{submission.token}/", f"{ROOT}submissions/{submission.token}/progress/"]
    addresses += [f"{API}submissions/{submission.token}/", submission.file.url]

    for role in PEOPLE:
        client.logout()
        if arena.people[role].pk:
            client.force_login(arena.people[role])
        answers = [client.get(address) for address in addresses]
        assert {each.status_code == 200 for each in answers[:3]} == {role in HOSTS}
        assert answers[3].status_code == 404
        assert not [text for text in texts for each in answers if text in each.content.decode()]
    answer = make_program(arena.team).get(f"{API}submissions/{submission.token}/")
    assert answer.status_code == 404

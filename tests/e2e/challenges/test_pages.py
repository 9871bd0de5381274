"""Tests of all pages of challenges in a browser, on a desktop and on phones."""

import json

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from challenges.board.interval_jobs import compute_record
from challenges.board.ranking import compute_board
from challenges.hosting.actions import disqualify, raise_limit
from challenges.hosting.tokens import make_host_token
from challenges.models import Challenge, Phase, PhaseIntervals, TeamWebhook
from challenges.taking_part.teams import invite_member
from challenges.taking_part.tokens import make_team_token
from studies.access.audit import Actor
from studies.enums import Interface, TaskKind
from studies.models import Study
from studies.webhooks.delivering import set_webhook
from tests.challenges.baselines.adding import add, write_training
from tests.challenges.challenges import CAPTIONS, make_challenge, make_phase, score_all, submit
from tests.challenges.people import begin, make_arena
from tests.e2e.looking import NARROW, PHONE, check_page, follow, show_at, tab_through
from tests.e2e.measuring import check_fit
from tests.e2e.researchers.test_pages import DESKTOP, log_in
from tests.factories.studies import NOW

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def arena(transactional_db, settings, tmp_path):
    """A challenge with long names, baselines, submissions in all states, and decisions of its hosts."""
    settings.MEDIA_ROOT, settings.ACCORDANCE_WEBHOOK_HOSTS = tmp_path, ["*"]
    arena = make_arena()
    now, actor = timezone.now(), Actor(arena.people["owner"], Interface.PAGE)
    Study.objects.create(
        dataset=arena.challenge.dataset,
        name="study",
        title="Study",
        kind=TaskKind.RATING,
        owner=arena.people["owner"],
        protocol="flickr8k-expert@1",
        created_at=NOW,
    )
    arena.other_team.name, arena.other_team.affiliation = "Averylongname_" * 4, "A university"
    arena.other_team.save()
    Phase.objects.filter(slug="over").update(visibility="after_end", title="Over_and_over_" * 8)
    draft = make_challenge("draft", owner=arena.people["owner"], state="draft")
    make_phase(draft)
    Challenge.objects.filter(slug="draft").update(title="Unbroken_title_" * 8)
    raise_limit(
        arena.phase, team=arena.team, per_day=9, in_all=200, reason="A cut in their upload.", actor=actor, now=now
    )
    disqualify(arena.others_scored, reason="Captions by people_" * 8, actor=actor, now=now)
    add(arena.phase, "human", now=now)
    add(arena.phase, "common-caption", name="Unbroken_name_" * 4, now=now)
    add(arena.phase, "file", name="Broken", content=b"[]", now=now)
    score_all(now)
    arena.phase.shows_intervals = True
    arena.phase.save()
    record = compute_record(compute_board(arena.phase), arena.phase)
    PhaseIntervals.objects.create(phase=arena.phase, computed_at=now, record=record)
    make_sets(arena, now=now)
    submit(arena.phase, team=arena.team, now=now)
    begin(arena)
    make_team_token(arena.team, name="training", by=arena.people["member"], now=now)
    set_webhook(
        TeamWebhook,
        member=arena.team.members.get(),
        url=f"https://hooks.example.org/{'unbroken' * 12}",
        site="https://x.example",
        actor=actor,
        now=now,
    )
    TeamWebhook.objects.update(last_tried_at=now, last_outcome="not delivered: the host answered with status 503")
    make_host_token(name="planner", actor=actor, now=now)
    return arena


def make_sets(arena, *, now) -> None:
    """Make a phase for caption sets with a scored submission of each team, one of them a baseline."""
    dates = {"opens_at": arena.phase.opens_at, "closes_at": arena.phase.closes_at}
    phase = make_phase(
        arena.challenge,
        slug="sets",
        title="Sets",
        metrics=("cider-d", "self-cider-d", "mbleu-4"),
        captions_per_image=2,
        visibility="all",
        **dates,
    )
    for team, second in ((arena.team, "a cat on a sofa"), (arena.other_team, "a dog runs outside")):
        entries = [
            {"image_id": int(key), "caption": text} for key in CAPTIONS for text in ("a dog runs outside", second)
        ]
        submit(phase, team=team, content=json.dumps(entries).encode(), now=now)
    score_all(now=now)
    phase.submissions.filter(team=arena.team).update(is_baseline=True)


def make_addresses(arena) -> dict[str, tuple[str, ...]]:
    token = arena.scored.token
    waiting = arena.team.submissions.get(state="received").token
    unfinished = arena.team.submissions.get(state="receiving").token
    broken = arena.phase.submissions.filter(team__name="Broken")
    root = "/challenges/captions/"
    history = f"phases/test/teams/{arena.team.pk}/history/"
    public = (
        "/challenges/",
        root,
        f"{root}phases/test/",
        f"{root}phases/over/",
        f"{root}phases/test/leaderboard/",
        f"{root}phases/sets/leaderboard/",
        f"{root}{history}",
    )
    return {
        "anonymous": public,
        "stranger": (
            "/challenges/",
            f"{root}join/",
            f"{root}phases/test/",
            reverse(
                "challenges:invitation",
                args=[invite_member(arena.team, by=arena.people["member"], now=timezone.now())],
            ),
            "/new-challenge/",
        ),
        "member-of-Lynx": (
            *public,
            f"{root}team/",
            *(f"{root}submissions/{each}/" for each in (token, waiting, unfinished)),
        ),
        "owner": (
            "/challenges/",
            "/new-challenge/",
            "/hosting-tokens/",
            f"{root}host/",
            "/challenges/draft/host/",
            f"{root}phases/test/leaderboard/",
            *(f"{root}host/{each}/" for each in ("close", "copy", f"teams/{arena.team.pk}/limit")),
            *(f"{root}phases/test/{each}/" for each in ("extend", "score-again", "make-final")),
            *(f"{root}phases/test/baselines/{each}" for each in ("", "new/")),
            *(f"{root}submissions/{each.token}/{page}" for each in broken for page in ("", "remove/")),
            f"{root}submissions/{token}/disqualify/",
            f"{root}submissions/{arena.others_scored.token}/",
            f"{root}submissions/{arena.others_scored.token}/reinstate/",
        ),
    }


@pytest.mark.parametrize("person", ["anonymous", "stranger", "member-of-Lynx", "owner"])
def test_pages_are_accessible_and_fit(page: Page, live_server, arena, person: str) -> None:
    if person != "anonymous":
        log_in(page, live_server, person)
    for number, address in enumerate(make_addresses(arena)[person]):
        response = page.goto(live_server.url + address)
        assert response is not None
        assert response.status == 200, address
        for _ in show_at(page, DESKTOP, PHONE, NARROW):
            page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
            check_page(page, f"challenges-{person}-{number:02}-{address.strip('/').replace('/', '-')[:60]}")
            check_fit(page)


def test_the_keyboard_reaches_everything_of_the_leaderboard(page: Page, live_server, arena) -> None:
    page.goto(f"{live_server.url}/challenges/captions/phases/test/leaderboard/")

    tab_through(page)


def test_a_host_makes_and_opens_a_challenge(page: Page, live_server, arena) -> None:
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/new-challenge/")
    page.locator("#id_title").fill("A second challenge")
    page.locator("#id_slug").fill("second")
    page.get_by_label("Dataset").select_option("captions-data")
    page.get_by_label("Terms").fill("Be fair.")
    page.locator("#id_phases-0-title").fill("Validation")
    page.locator("#id_phases-0-slug").fill("val")
    page.locator("#id_phases-0-time_zone").fill("Europe/Berlin")
    page.locator("#id_phases-0-opens_at").fill("2025-01-01T00:00")
    page.locator("#id_phases-0-closes_at").fill("2099-01-01T00:00")
    follow(page.get_by_role("button", name="Create a draft"))
    expect(page.get_by_text("The challenge is a draft that only its hosts see.")).to_be_visible()

    follow(page.get_by_role("button", name="Open the challenge"))
    expect(page.get_by_text("The challenge is open.")).to_be_visible()
    assert Challenge.objects.get(slug="second").state == "open"
    check_page(page, "host-opened")

    follow(page.get_by_role("link", name="Close the challenge"))
    follow(page.get_by_role("button", name="Close the challenge"))
    expect(page.get_by_text("This field is required.")).to_be_visible()
    page.get_by_label("Reason").fill("The data have an error.")
    follow(page.get_by_role("button", name="Close the challenge"))
    expect(page.get_by_role("region", name="Table of decisions")).to_contain_text("The data have an error.")


def test_a_host_adds_and_removes_a_baseline(page: Page, live_server, arena, tmp_path) -> None:
    (tmp_path / "training.json").write_bytes(write_training())
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/challenges/captions/host/")
    follow(page.get_by_role("link", name="Baselines of Test"))
    follow(page.get_by_role("link", name="Add a baseline"))
    page.get_by_label("Name").fill("Frequent")
    follow(page.get_by_role("button", name="Add the baseline"))
    expect(page.get_by_text("Common caption: give a file of training captions.")).to_be_visible()

    page.get_by_label("File").set_input_files(tmp_path / "training.json")
    follow(page.get_by_role("button", name="Add the baseline"))
    expect(page.get_by_text("The baseline is being checked and scored.")).to_be_visible()
    score_all(timezone.now())
    page.goto(f"{live_server.url}/challenges/captions/phases/test/leaderboard/")
    expect(page.get_by_role("rowheader", name="Frequent baseline")).to_be_visible()

    page.goto(f"{live_server.url}/challenges/captions/phases/test/baselines/")
    follow(page.get_by_role("link", name="Remove Frequent"))
    page.get_by_label("Reason").fill("Its captions were those of another year.")
    follow(page.get_by_role("button", name="Remove the baseline"))
    expect(page.get_by_text("The baseline has been removed.")).to_be_visible()
    expect(page.get_by_role("region", name="Table of baselines")).not_to_contain_text("Frequent")

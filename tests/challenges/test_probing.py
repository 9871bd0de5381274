"""An adaptive attack by several accounts learns no more about hidden words than the bound that hosts are shown."""

import json
import re
from collections import defaultdict
from collections.abc import Callable
from itertools import product
from math import log2
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils import timezone

from challenges.enums import ChallengeState
from challenges.hosting.leak_bound import bound_leak
from challenges.models import Challenge, Team
from studies.models import Image, Reference
from tests.challenges.api.programs import make_program
from tests.challenges.challenges import make_phase, make_team, score_all
from tests.factories.studies import NOW, make_dataset

pytestmark = pytest.mark.django_db
N_HIDDEN = 5
ROOT = "challenges/captions/"
# What is random in every response: tokens of forms and of the policy for scripts.
_RANDOM = re.compile(r'(name="csrfmiddlewaretoken" value=|"X-CSRFToken": ?|nonce=)"[^"]*"')


@pytest.fixture
def phase(monkeypatch):
    """A phase whose images each have one hidden word as reference; a team may submit once, and time stands still."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    dataset = make_dataset("hidden")
    for number in range(N_HIDDEN):
        image = Image.objects.create(dataset=dataset, key=str(number))
        Reference.objects.create(image=image, position=0, text="")
    challenge = Challenge.objects.create(
        slug="captions", title="Captions", dataset=dataset, state=ChallengeState.OPEN, created_at=NOW
    )
    return make_phase(
        challenge, metrics=("rouge-l",), references=(("all", None),), decimals=1, per_day=1, in_all=1, visibility="all"
    )


def hide(secret: tuple[bool, ...]) -> None:
    for number, is_guessed in enumerate(secret):
        Reference.objects.filter(image__key=str(number)).update(text="yes" if is_guessed else "no")


def write_probe(*, shift: int) -> bytes:
    """Return captions with the guess and other words, as many as make each image's share of the score another one."""
    entries = [
        {"image_id": number, "caption": "yes" + " word" * ((number + shift) % N_HIDDEN)} for number in range(N_HIDDEN)
    ]
    return json.dumps(entries).encode()


class Attacker:
    """Several accounts, each in a team of its own, and all that they see."""

    def __init__(self, teams: list[Team]) -> None:
        self.programs = [make_program(team) for team in teams]
        self.teams = [team.pk for team in teams]
        self.browsers = []
        for team in teams:
            browser = Client()
            browser.force_login(team.members.get().user)
            self.browsers.append(browser)
        self.tokens: list[str] = []

    def submit(self, number: int, content: bytes) -> tuple[Any, str]:
        """Submit by an account; return the board and what was seen, without what is random."""
        sent = self.programs[number].post(
            f"/api/v1/{ROOT}phases/test/submissions/", content, content_type="application/json"
        )
        seen = [self._read(sent)]
        if sent.status_code == 202:
            self.tokens.append(sent.json()["submission"])
        score_all()
        board = self.programs[number].get(f"/api/v1/{ROOT}phases/test/leaderboard/")
        own = [self._read(self.browsers[number].get(address)) for address in self._list_submissions()[-2:]]
        return board.json(), "\n".join([*seen, self._read(board), *own])

    def look(self) -> list[str]:
        """Return all that the accounts see now: API, pages, and downloads."""
        addresses = [
            f"/api/v1/{ROOT}phases/test/",
            f"/{ROOT}",
            f"/{ROOT}team/",
            f"/{ROOT}phases/test/",
            f"/{ROOT}phases/test/leaderboard/",
            f"/{ROOT}phases/test/leaderboard.csv",
            f"/{ROOT}phases/test/leaderboard.tex",
            *(f"{api}/{ROOT}phases/test/teams/{team}/history/" for team in self.teams for api in ("", "/api/v1")),
            # The figure of the history has the points of its table, and takes long to draw.
            *(f"/{ROOT}phases/test/teams/{team}/badge.svg" for team in self.teams),
            *self._list_submissions(),
        ]
        return [self._read(browser.get(address)) for browser in self.browsers for address in addresses]

    def _list_submissions(self) -> list[str]:
        return [f"/{api}{ROOT}submissions/{token}/" for token in self.tokens for api in ("", "api/v1/")]

    def _read(self, response: Any) -> str:
        text = f"{response.status_code} {response.getvalue().decode()}"
        for number, token in enumerate(self.tokens):
            text = text.replace(token, f"token-{number}")
        if response.status_code == 202:
            text = text.replace(response.json()["submission"], "new")
        return _RANDOM.sub(r"\1", text)


def attack(attacker: Attacker) -> list[str]:
    """Return what each step of the attack has seen; each probe depends on the scores that came before."""
    shift, seen = 0, []
    attacker.tokens.clear()
    # Nothing of this counts.
    seen.append(attacker.submit(0, b'[{"image_id": 0, "caption": "yes"}]')[1])
    for number in range(len(attacker.programs)):
        board, text = attacker.submit(number, write_probe(shift=shift))
        seen.append(text)
        shift = round(10 * sum(entry["values"][0] or 0 for entry in board["entries"]))
    seen.append("\n".join([attacker.submit(0, write_probe(shift=0))[1], *attacker.look()]))
    return seen


def run_for(secret: tuple[bool, ...], action: Callable[[], list[str]]) -> list[str]:
    """Run an attack on a secret, and forget everything that it changed."""
    cache.clear()
    with transaction.atomic():
        hide(secret)
        seen = action()
        transaction.set_rollback(True)
    return seen


@pytest.mark.slow
def test_an_attack_by_several_accounts_learns_at_most_the_bound(phase):
    attacker = Attacker([make_team(phase.challenge, name) for name in ("Lynx", "Ibex")])
    bound, secrets = bound_leak(phase), list(product((False, True), repeat=N_HIDDEN))
    most = round(2**bound.per_submission)

    # Everything else stays the same, so that what differs comes from the references.
    first_run, second_run = (run_for(secrets[5], lambda: attack(attacker)) for _ in range(2))
    assert first_run == second_run
    runs = [run_for(secret, lambda: attack(attacker)) for secret in secrets]

    invalid, first, second, refused = (
        _count_branches([tuple(run[: step + 1]) for run in runs]) for step in range(len(runs[0]))
    )
    # A file with errors and one beyond the limit tell nothing more.
    assert (invalid, refused) == (1, 1)
    # There are far more secrets than a submission can tell apart; without rounding it could tell all of them.
    assert 2 < first <= most < len(secrets)
    assert 1 < second <= most
    learned = log2(len({tuple(run) for run in runs}))
    assert 3 < learned <= min(bound.in_all, len(attacker.programs) * bound.per_submission)
    assert log2(first) <= bound.per_team
    assert "all its 1 submissions in this phase" in runs[0][-1]


def _count_branches(histories: list[tuple[str, ...]]) -> int:
    """Return the most different last steps that follow the same steps before."""
    found = defaultdict(set)
    for history in histories:
        found[history[:-1]].add(history[-1])
    return max(map(len, found.values()))


def test_a_submission_that_can_be_cancelled_does_not_tell_which_metrics_failed(phase, monkeypatch):
    for position, metric in enumerate(("bleu-1", "bleu-4"), start=1):
        phase.metrics.create(metric=metric, position=position)
    attacker = Attacker([make_team(phase.challenge, "Lynx")])
    seen = []

    def fail(*_: Any, **__: Any) -> None:
        seen.append(attacker.look())
        raise ValueError("no score")

    monkeypatch.setattr("challenges.submissions.scoring.compute_score", fail)
    attacker.submit(0, write_probe(shift=0))

    assert len(seen) == 3
    assert seen[0] == seen[1] == seen[2]

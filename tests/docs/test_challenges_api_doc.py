"""Tests of docs/challenges-api.md: its Python code, which is run against a server, and its curl commands."""

import json
import os
import re
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from challenges.hosting.tokens import make_host_token
from challenges.models import Challenge, Submission, TeamLimit
from challenges.taking_part.tokens import make_team_token
from studies.access.audit import Actor
from studies.enums import Interface
from studies.webhooks.signing import make_secret, sign
from tests.challenges.api.test_access import own_dataset
from tests.challenges.baselines.adding import write_training
from tests.challenges.challenges import write_results
from tests.challenges.people import make_arena
from tests.e2e.jobs import background_worker  # noqa: F401 - a fixture

TEXTS = Path(__file__).resolve().parents[2] / "docs"
TEXT = (TEXTS / "challenges-api.md").read_text()
NAME = "captions_test_mine_results"


def read_blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture
def phase(live_server, monkeypatch, settings, tmp_path):
    """The address of a phase, with tokens in the environment and a file of results in the present folder."""
    settings.MEDIA_ROOT = tmp_path / "media"
    arena = make_arena()
    _, secret = make_team_token(arena.team, name="script", by=arena.people["member"], now=timezone.now())
    address = f"{live_server.url}/api/v1/challenges/captions/phases/test"
    own_dataset(arena)
    actor = Actor(arena.people["owner"], Interface.PAGE)
    _, host_secret = make_host_token(name="planner", actor=actor, now=timezone.now())
    monkeypatch.setenv("ACCORDANCE_TOKEN", secret)
    monkeypatch.setenv("ACCORDANCE_HOST_TOKEN", host_secret)
    monkeypatch.setenv("ACCORDANCE_PHASE", address)
    monkeypatch.setenv("URL", address)
    monkeypatch.chdir(tmp_path)
    Path(f"{NAME}.json").write_bytes(write_results())
    return address


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("phase", "worker")
def test_the_python_code_submits_and_shows_the_leaderboard(capsys):
    code: dict = {}
    exec("\n".join(read_blocks("python")), code)  # noqa: S102 - the code of the documentation

    whole = code["submit"](Path(f"{NAME}.json"), "epoch 3")
    parts = code["submit_in_parts"](Path(f"{NAME}.json"), part_size=100)
    code["show_leaderboard"]("rouge-l:c3")
    challenge = os.environ["URL"].partition("/phases/")[0]
    extended = code["extend"](challenge, "test", "2090-01-31T12:00:00Z", "The server was down.")
    Path("train.json").write_bytes(write_training())
    common = code["add_baseline"](challenge, "test", "common-caption", Path("train.json"))
    people = code["add_baseline"](challenge, "test", "human", name="People", seed=2)
    code["raise_limit"](challenge, "Lynx", phase="test", per_day=9, in_all=200, reason="A cut.")
    for session in ("program", "host"):
        code[session].close()

    assert (whole["state"], whole["description"], parts["state"]) == ("scored", "epoch 3", "scored")
    assert whole["scores"] == parts["scores"]
    assert "2090-01-31T12:00:00Z" in {each["closes_at"] for each in extended["phases"]}
    assert TeamLimit.objects.get().per_day == 9
    assert (common["name"], people["name"], people["seed"]) == ("Common caption", "People", 2)
    assert {line.split()[1] for line in capsys.readouterr().out.splitlines()} == {"Lynx", "Ibex"}


def test_the_python_code_verifies_messages():
    code: dict = {"time": time}
    (block,) = (each for each in read_blocks("python") if "def verify" in each)
    exec(block, code)  # noqa: S102 - the code of the documentation
    secret, body, now = make_secret(), b'{"type": "submission.ended"}', timezone.now()
    given = {"secret": secret, "message": "msg_1"}
    verify, headers = code["verify"], sign(body, **given, now=now)

    verify(body, headers, secret)
    for content, signed, problem in (
        (body + b" ", headers, "signature"),
        (body, {**headers, "webhook-id": "msg_2"}, "signature"),
        (body, sign(body, **given, now=now - timedelta(minutes=6)), "old"),
    ):
        with pytest.raises(ValueError, match=problem):
            verify(content, signed, secret)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("phase")
def test_the_curl_commands_submit(monkeypatch, live_server):
    _, whole, parts, _ = read_blocks("sh")
    sent = json.loads(subprocess.run(["bash", "-c", whole], check=True, capture_output=True, text=True).stdout)

    size = Path(f"{NAME}.json").stat().st_size
    begin, send, finish = parts.replace("314572800", str(size)).replace(".zip", ".json").split("curl")[1:]
    begun = json.loads(_curl(begin))
    monkeypatch.setenv("SUBMISSION", f"{live_server.url}/api/v1/challenges/captions/submissions/{begun['submission']}/")
    Path("part-1").write_bytes(write_results())
    received, finished = json.loads(_curl(send)), json.loads(_curl(finish))

    assert (sent["name"], sent["description"], sent["state"]) == (f"{NAME}.json", "epoch 3", "received")
    assert (received["n_received"], finished["state"]) == (size, "received")
    assert Submission.objects.filter(state="received").count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("phase")
def test_the_curl_commands_make_a_challenge_from_a_plan(monkeypatch, live_server):
    monkeypatch.setenv("API", f"{live_server.url}/api/v1/challenges")
    plan = (TEXTS / "challenges.md").read_text().partition("```toml\n")[2].partition("```")[0]
    Path("plan.toml").write_text(
        plan.replace('"demo"', '"captions-data"').replace("c5", "c2").replace("= 5 }", "= 2 }")
    )

    *_, block = read_blocks("sh")
    convert, dry, make = re.split(r"^curl", block, flags=re.MULTILINE)
    subprocess.run(["bash", "-c", convert.replace("python ", f"{sys.executable} ", 1)], check=True)
    told = json.loads(_curl(dry))
    assert not Challenge.objects.filter(slug="coco-2026").exists()
    made = json.loads(_curl(make))

    assert told == made
    assert Challenge.objects.get(slug="coco-2026").phases.get().slug == made["phases"][0]["phase"] == "dev"


def _curl(arguments):
    return subprocess.run(["bash", "-c", f"curl{arguments}"], check=True, capture_output=True, text=True).stdout

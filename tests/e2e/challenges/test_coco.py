"""Tests a challenge on COCO's validation captions with real results, in a browser and by the API."""

import csv
import gzip
import json
import re
import zipfile
from datetime import timedelta
from pathlib import Path

import pycocoevalcap
import pytest
import requests
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Page, expect
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

from challenges.hosting.actions import open_challenge
from challenges.models import Challenge
from challenges.taking_part.tokens import make_team_token
from studies.access.audit import COMMAND_LINE
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from tests.challenges.challenges import make_team
from tests.e2e.jobs import background_worker  # noqa: F401 - a fixture
from tests.e2e.looking import follow
from tests.e2e.researchers.test_pages import log_in
from tests.factories.studies import make_user
from tests.parts import require_program

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

JAR = f"{pycocoevalcap.__path__[0]}/spice/spice-1.0.jar!coco/annotations/captions_val2014.json"
PLAN = """
slug = "coco"
title = "Captions of COCO"
dataset = "coco"
terms = "Train on train2014 only."

[[phases]]
slug = "part"
title = "A thousand images"
split = "val2014"
opens_at = {opens_at}
closes_at = {closes_at}
visibility = "all"
decimals = 5
images = {images}
metrics = [{{ metric = "cider-d" }}, {{ metric = "bleu-1" }}, {{ metric = "bleu-2" }}, {{ metric = "bleu-3" }},
  {{ metric = "bleu-4" }}, {{ metric = "meteor" }}, {{ metric = "rouge-l" }}]
references = [{{ name = "c5" }}]

[[phases]]
slug = "val"
title = "All images"
split = "val2014"
opens_at = {opens_at}
closes_at = {closes_at}
visibility = "all"
decimals = 6
metrics = [{{ metric = "cider-d" }}, {{ metric = "bleu-4" }}]
references = [{{ name = "c5" }}]
"""
PATIENCE = 300_000
"""Milliseconds that scoring may take on a busy machine."""

FAKECAP = {
    "cider-d": 0.59979,
    "bleu-1": 0.57940,
    "bleu-2": 0.40439,
    "bleu-3": 0.27854,
    "bleu-4": 0.19083,
    "meteor": 0.19525,
    "rouge-l": 0.39625,
}
"""As coco-caption's demo prints them to three digits, recomputed with pycocoevalcap 1.2: README of the data folder."""


@pytest.fixture
def fakecap(data_folder: Path) -> Path:
    return data_folder / "coco" / "captions_val2014_fakecap_results.json"


@pytest.fixture
def googlstm(data_folder: Path, tmp_path: Path) -> Path:
    unpacked = tmp_path / "captions_val2014_googlstm_results.json"
    unpacked.write_bytes(gzip.decompress((data_folder / "coco" / f"{unpacked.name}.gz").read_bytes()))
    return unpacked


@pytest.fixture
def challenge(transactional_db, settings, tmp_path: Path, fakecap: Path, googlstm: Path) -> Challenge:
    settings.MEDIA_ROOT = tmp_path / "media"
    now = timezone.now()
    make_user("owner")
    import_data("coco", options=ImportOptions(source=googlstm, annotations=JAR), now=now, owner="owner")
    images = json.dumps([str(entry["image_id"]) for entry in json.loads(fakecap.read_text())])
    dates = {"opens_at": now.isoformat(), "closes_at": (now + timedelta(days=9)).isoformat()}
    (tmp_path / "plan.toml").write_text(PLAN.format(images=images, **dates))
    call_command("create_challenge", tmp_path / "plan.toml", owner="owner")
    made = Challenge.objects.get()
    open_challenge(made, actor=COMMAND_LINE, now=now)
    return made


@pytest.mark.usefixtures("worker")
def test_coco_results_get_the_scores_of_coco_caption(
    page: Page, live_server, challenge: Challenge, fakecap: Path, googlstm: Path
) -> None:
    _, programming = make_team(challenge, "fakecap"), make_team(challenge, "googlstm")
    log_in(page, live_server, "member-of-fakecap")
    page.goto(f"{live_server.url}/challenges/coco/phases/part/")
    page.get_by_label("File of results").set_input_files(fakecap)
    follow(page.get_by_role("button", name="Upload and score"))
    user = programming.members.get().user
    _, secret = make_team_token(programming, name="training", by=user, now=timezone.now())
    sent = requests.post(
        f"{live_server.url}/api/v1/challenges/coco/phases/val/submissions/?name={googlstm.name}",
        data=googlstm.read_bytes(),
        headers={"Authorization": f"Bearer {secret}", "Content-Type": "application/json"},
        timeout=60,
    )

    assert sent.status_code == 202, sent.text
    expect(page.get_by_role("heading", name=re.compile("Scored"))).to_be_visible(timeout=PATIENCE)
    assert read_row(page, live_server, "part", team="fakecap") == FAKECAP
    program = requests.Session()
    program.headers["Authorization"] = f"Bearer {secret}"
    shown = program.get(sent.headers["Location"], timeout=60).json()
    follow(page.get_by_role("button", name="Log out"))
    log_in(page, live_server, "member-of-googlstm")
    page.goto(f"{live_server.url}/challenges/coco/submissions/{shown['submission']}/")
    expect(page.get_by_role("heading", name=re.compile("Scored"))).to_be_visible(timeout=PATIENCE)
    shown = program.get(sent.headers["Location"], timeout=60).json()
    program.close()
    assert {each["metric"]: each["value"] for each in shown["scores"]} == score_by_coco_caption(googlstm)


def read_row(page: Page, live_server, phase: str, *, team: str) -> dict[str, float]:
    """Return the values of an entry by metric, as the leaderboard shows them."""
    page.goto(f"{live_server.url}/challenges/coco/phases/{phase}/leaderboard/")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    rows = list(csv.DictReader(Path(download.value.path()).read_text().splitlines()))
    (row,) = (each for each in rows if each["team"] == team)
    line = page.get_by_role("row", name=re.compile(team)).inner_text()
    found = {name.split()[0]: value for name, value in row.items() if name.split()[0] in FAKECAP}
    assert all(value in line for value in found.values())
    return {name: float(value) for name, value in found.items()}


def score_by_coco_caption(results: Path) -> dict[str, float]:
    """Return the scores of results for all of val2014, rounded as the phase `val` does."""
    require_program("java")
    archive, member = JAR.split("!")
    with zipfile.ZipFile(archive) as jar:
        annotations = json.loads(jar.read(member))["annotations"]
    references: dict[int, list[dict[str, str]]] = {}
    for each in annotations:
        references.setdefault(each["image_id"], []).append({"caption": each["caption"]})
    candidates = {each["image_id"]: [{"caption": each["caption"]}] for each in json.loads(results.read_text())}
    tokenizer = PTBTokenizer()
    expected, found = tokenizer.tokenize(references), tokenizer.tokenize(candidates)
    bleu, _ = Bleu(4).compute_score(expected, found, verbose=0)
    cider, _ = Cider().compute_score(expected, found)
    return {"bleu-4": round(bleu[3], 6), "cider-d": round(float(cider), 6)}

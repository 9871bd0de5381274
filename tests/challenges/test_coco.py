"""A challenge of COCO's captions shows the numbers of coco-caption for published results that two teams submit."""

import gzip
import json
from datetime import timedelta
from pathlib import Path

import pycocoevalcap
import pytest
from django.utils import timezone

from challenges.hosting.actions import open_challenge
from challenges.hosting.creation import make_challenge
from challenges.hosting.plans import ChallengePlan, MetricPlan, PhasePlan, ReferencesPlan
from challenges.models import Submission
from metrics_plugins.readers.results import read_results
from studies.access.audit import COMMAND_LINE
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.models import Dataset, Reference, Study
from tests.challenges.api.programs import make_program
from tests.challenges.challenges import make_team, score_all
from tests.factories.studies import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ANNOTATIONS = f"{pycocoevalcap.__path__[0]}/spice/spice-1.0.jar!coco/annotations/captions_val2014.json"
FAKECAP = "captions_val2014_fakecap_results.json"
GOOGLSTM = "captions_val2014_googlstm_results.json"
N_VAL, N_EMPTY = 40_504, 131
# As coco-caption's demo prints them to three digits, recomputed with pycocoevalcap 1.2: README of the data folder.
DEMO = {
    "bleu-1": 0.57940,
    "bleu-2": 0.40439,
    "bleu-3": 0.27854,
    "bleu-4": 0.19083,
    "meteor": 0.19525,
    "rouge-l": 0.39625,
    "cider-d": 0.59979,
}
ROOT = "/api/v1/challenges/coco/"


@pytest.fixture
def coco(settings, tmp_path, data_folder):
    """An open challenge on all of val2014, with a phase for each of the two published results."""
    settings.MEDIA_ROOT = tmp_path
    now, owner = timezone.now(), make_user("owner")
    source = data_folder / "coco" / f"{GOOGLSTM}.gz"
    import_data("coco", options=ImportOptions(source=source, annotations=ANNOTATIONS), now=now)
    Study.objects.update(owner=owner)
    images = tuple(str(each["image_id"]) for each in json.loads((data_folder / "coco" / FAKECAP).read_text()))
    dates = {"opens_at": now - timedelta(days=1), "closes_at": now + timedelta(days=1)}
    # Five or six captions of an image, as coco-caption takes all that there are.
    given = {**dates, "references": (ReferencesPlan(name="c5"),), "visibility": "all", "split": "val2014"}
    phases = (
        PhasePlan(
            slug="demo", title="Demo", images=images, metrics=tuple(map(_plan_metric, DEMO)), decimals=5, **given
        ),
        PhasePlan(slug="val", title="Validation", metrics=(MetricPlan(metric="bleu-1"),), **given),
    )
    plan = ChallengePlan(slug="coco", title="COCO", dataset=Dataset.objects.get().name, phases=phases)
    challenge = make_challenge(plan, owner=owner, actor=COMMAND_LINE, now=now)
    open_challenge(challenge, actor=COMMAND_LINE, now=now)
    return challenge


def _plan_metric(metric: str) -> MetricPlan:
    return MetricPlan(metric=metric)


def submit(program, phase: str, name: str, content: bytes) -> str:
    """Submit a file with the token of a team; return the address of the submission."""
    address = f"{ROOT}phases/{phase}/submissions/?name={name}"
    sent = program.post(address, content, content_type="application/json")
    assert sent.status_code == 202
    return str(sent["Location"])


def test_two_teams_see_the_numbers_of_coco_caption(client, coco, data_folder: Path, java):
    fakecap = (data_folder / "coco" / FAKECAP).read_bytes()
    googlstm = gzip.decompress((data_folder / "coco" / f"{GOOGLSTM}.gz").read_bytes())
    first, second = make_program(make_team(coco, "Lynx")), make_program(make_team(coco, "Ibex"))

    demo = submit(first, "demo", FAKECAP, fakecap)
    again = submit(second, "demo", FAKECAP, fakecap)
    whole = submit(second, "val", GOOGLSTM, googlstm)
    lacking = submit(first, "val", GOOGLSTM, json.dumps(json.loads(googlstm)[1:]).encode())
    score_all(now=timezone.now())

    for program, address in ((first, demo), (second, again), (second, whole)):
        scored = program.get(address).json()
        assert (scored["state"], scored["reason"]) == ("scored", "")
    board = client.get(f"{ROOT}phases/demo/leaderboard/").json()
    assert [(each["rank"], each["team"]) for each in board["entries"]] == [(1, "Lynx"), (1, "Ibex")]
    for entry in board["entries"]:
        assert dict(zip([each["metric"] for each in board["columns"]], entry["values"], strict=True)) == DEMO
    page = client.get("/challenges/coco/phases/demo/leaderboard/").content.decode()
    table = client.get("/challenges/coco/phases/demo/leaderboard.tex").getvalue().decode()
    for value in DEMO.values():
        assert page.count(f">{value:.5f}<") == table.count(f"& {value:.5f}") == 2

    # All captions of val2014 are scored, also the empty ones.
    submission = Submission.objects.get(phase__slug="val", state="scored")
    (value,) = scored["scores"]
    assert (value["metric"], value["n_images"]) == ("bleu-1", N_VAL)
    assert 0.6 < value["value"] < 0.7
    results = read_results(
        Path(submission.file.path), image_ids=[each["image_id"] for each in json.loads(googlstm)], allow_empty=True
    )
    assert sum(texts == ("",) for texts in results.captions.values()) == N_EMPTY
    assert client.get(f"{ROOT}phases/val/leaderboard/").json()["entries"][0]["values"] == [value["value"]]
    assert Reference.objects.count() == 202_654
    failed = first.get(lacking).json()
    assert (failed["state"], failed["scores"]) == ("failed", [])
    assert f"image {json.loads(googlstm)[0]['image_id']} must have 1 caption" in failed["reason"]

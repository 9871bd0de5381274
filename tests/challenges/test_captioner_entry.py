"""Tests that a trained captioner gets an entry on a leaderboard."""

import json

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from captioning.cli import main
from challenges.models import Submission
from tests.challenges.api.programs import make_program
from tests.challenges.challenges import CAPTIONS, score_all
from tests.challenges.people import make_arena

pytestmark = pytest.mark.django_db
PHASE = "/api/v1/challenges/captions/phases/test/"


def test_results_of_a_trained_captioner_are_an_entry(tmp_path) -> None:
    arena = make_arena()
    seen = [("1", "a dog runs on grass"), ("2", "people ride bikes"), ("3", "a cat sleeps"), ("4", "a man in the rain")]
    training = [{"image_id": key, "caption": text} for key, text in seen]
    (tmp_path / "training.json").write_text(json.dumps(training))
    (tmp_path / "other.json").write_text(json.dumps([{"image_id": "5", "caption": "a bird"}]))
    # The image to caption with number n has the features of the n-th image for training.
    np.savez(tmp_path / "training.npz", keys=np.array([*(key for key, _ in seen), "5"]), features=np.eye(5))
    np.savez(tmp_path / "test.npz", keys=np.array(list(CAPTIONS)), features=np.eye(5)[:4])
    results, trained = tmp_path / "captions_val_nearest_results.json", tmp_path / "trained"

    files = ["--captions", tmp_path / "training.json", "--features", tmp_path / "training.npz"]
    _run("train", "--captioner", "nearest-neighbour", *files, "--validation", tmp_path / "other.json", "--out", trained)
    _run("caption", "--folder", trained, "--features", tmp_path / "test.npz", "--out", results)
    sent = make_program(arena.team).post(
        f"{PHASE}submissions/?name={results.name}", results.read_bytes(), content_type="application/json"
    )
    score_all(timezone.now())

    written = {str(each["image_id"]): each["caption"] for each in json.loads(results.read_text())}
    assert written == dict(zip(CAPTIONS, (text for _, text in seen), strict=True))
    submission = Submission.objects.get(token=sent.json()["submission"])
    assert submission.state == "scored"
    board = Client().get(f"{PHASE}leaderboard/").json()
    values = {entry["team"]: entry["values"] for entry in board["entries"]}
    scores = {f"{score.metric}:{score.references}": round(score.value, 3) for score in submission.scores.all()}
    # The best submission of a team is its entry.
    assert values["Lynx"] == [scores[column["name"]] for column in board["columns"]]


def _run(*arguments: object) -> None:
    assert main([str(each) for each in arguments]) == 0

"""Tests of folders of trained captioners and of the records of captioners."""

import json

import pytest

from captioning.api import BadCheckpoint, CaptionerError, Decoding
from captioning.runtime import load_captioners
from captioning.runtime.records import make_record
from captioning.runtime.trained import CARD, digest_folder, list_trained, open_trained, read_card, train_captioner
from tests.captioning.runtime.examples import DrawnWord, Learner, make_captioned, make_images, make_plugin


@pytest.fixture
def registry():
    return load_captioners([make_plugin(Learner, DrawnWord)], outside=False)


def _train(registry, folder, **changes):
    given = {"data": make_captioned(note="text-conditioned"), "validation": make_captioned(), "seed": 3} | changes
    data, validation = given.pop("data"), given.pop("validation")
    return train_captioner(registry, "learner", data, validation, folder=folder, **given)


def test_trained_captioner_is_opened_by_its_card(registry, tmp_path) -> None:
    _train(registry, tmp_path / "one", settings={"upper": True})

    opened = open_trained(registry, tmp_path / "one")
    card = read_card(tmp_path / "one")
    assert isinstance(opened, Learner)
    assert opened.caption_of_all == "A CAT"
    assert (card.captioner, card.seed, card.settings, card.note) == ("learner", 3, {"upper": True}, "text-conditioned")
    assert (card.n_images, card.n_captions) == (2, 2)
    assert card.inputs == ()
    (tmp_path / "other").mkdir()
    assert list_trained(tmp_path) == {"one": card}
    assert list_trained(tmp_path / "absent") == {}


def test_folder_of_another_training_is_refused_before_training(registry, tmp_path) -> None:
    _train(registry, tmp_path)
    n_trained = Learner.trained

    with pytest.raises(BadCheckpoint, match=r"contains another training: it differs in n_images, n_captions, data$"):
        _train(registry, tmp_path, data=make_captioned(3, note="text-conditioned"))
    with pytest.raises(BadCheckpoint, match="differs in seed, settings"):
        _train(registry, tmp_path, seed=4, settings={"upper": True})
    assert Learner.trained == n_trained


def test_default_that_is_given_is_not_another_training(registry, tmp_path) -> None:
    _train(registry, tmp_path)
    _train(registry, tmp_path, settings={"upper": False})
    assert read_card(tmp_path).settings == {"upper": False}


def test_only_the_first_of_several_processes_writes_the_card(registry, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("RANK", "1")
    _train(registry, tmp_path)
    assert not (tmp_path / CARD).exists()
    monkeypatch.setenv("RANK", "0")
    # As if another process were writing: its unfinished file must not be used.
    (tmp_path / f".{CARD}.part").mkdir()
    _train(registry, tmp_path)
    assert read_card(tmp_path).captioner == "learner"


def test_damaged_folders_are_refused(registry, tmp_path) -> None:
    with pytest.raises(BadCheckpoint, match=f"it has no {CARD}"):
        open_trained(registry, tmp_path)
    (tmp_path / CARD).write_text("{")
    with pytest.raises(BadCheckpoint, match="must be JSON"):
        open_trained(registry, tmp_path)
    (tmp_path / CARD).write_text("{}")
    with pytest.raises(BadCheckpoint, match="must be an object of the format"):
        open_trained(registry, tmp_path)
    (tmp_path / CARD).unlink()
    _train(registry, tmp_path)
    card = json.loads((tmp_path / CARD).read_text())
    (tmp_path / CARD).write_text(json.dumps(card | {"version": "0"}))
    with pytest.raises(BadCheckpoint, match="trained in version 0, but version 1 is installed"):
        open_trained(registry, tmp_path)


def test_captioner_that_is_not_trained_is_refused(registry, tmp_path) -> None:
    with pytest.raises(CaptionerError, match="'drawn-word' is not trained"):
        train_captioner(registry, "drawn-word", make_captioned(), make_captioned(), folder=tmp_path, seed=0)


def test_record_names_all_that_captions_depend_on(registry, tmp_path) -> None:
    trained = _train(registry, tmp_path)
    record = make_record(trained, n=1, decoding=None, seed=5, folder=tmp_path)

    assert str(record) == f"learner|v:1|n:1|seed:5|words:2|digest:{digest_folder(tmp_path)}|note:text-conditioned"
    decoding = Decoding.parse("sample,temperature=0.7")
    assert str(make_record(DrawnWord(), n=9, decoding=decoding, seed=0)) == (
        "drawn-word|v:1|decoding:sample,temperature=0.7|n:9|seed:0"
    )
    assert json.loads(json.dumps(record.to_json()))["title"] == "Learner"


def test_seed_of_the_training_does_not_replace_that_of_the_captions() -> None:
    captioner = type("Described", (DrawnWord,), {"describe": lambda _: {"seed": 8, "hidden": 4}})()
    record = make_record(captioner, n=1, decoding=None, seed=5)
    assert str(record) == "drawn-word|v:1|decoding:greedy|n:1|seed:5|training_seed:8|hidden:4"


def test_record_has_the_default_decoding_of_the_captioner() -> None:
    captioner = type("Long", (DrawnWord,), {"default_decoding": Decoding(max_words=20)})()
    assert make_record(captioner, n=1, decoding=None, seed=0).decoding == "greedy,max_words=20"
    assert make_record(captioner, n=1, decoding=Decoding(), seed=0).decoding == "greedy"


def test_digest_of_a_trained_captioner_depends_on_what_captions_depend_on(registry, tmp_path) -> None:
    _train(registry, tmp_path)
    first = digest_folder(tmp_path)
    for name in ("curve.jsonl", "curve.svg", "index.html", "captions-20.json"):
        (tmp_path / name).write_text("another time")
    _train(registry, tmp_path, settings={"upper": False})
    assert digest_folder(tmp_path) == first
    (tmp_path / "caption.txt").write_text("another caption")
    second = digest_folder(tmp_path)
    card = json.loads((tmp_path / CARD).read_text())
    (tmp_path / CARD).write_text(json.dumps(card | {"version": "2"}))
    assert len({first, second, digest_folder(tmp_path)}) == 3


def test_digest_depends_on_names_and_content(tmp_path) -> None:
    (tmp_path / "a").write_text("x")
    first = digest_folder(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    second = digest_folder(tmp_path)
    (tmp_path / "b").write_text("yy")
    assert len({first, second, digest_folder(tmp_path)}) == 3
    assert make_images(2).keys == ("im0", "im1")

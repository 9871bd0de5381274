import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch

from captioning.api import BadCaptions, BadCheckpoint, CaptionerError, Decoding, Images, MissingInput, Regions
from captioning.captioners.neural import NEURAL_CAPTIONERS, CganCaptioner, FcCaptioner, LrcnCaptioner
from captioning.runtime import load_captioners, run_captioner
from captioning.runtime.checks import check_captioner
from captioning.runtime.records import make_record
from captioning.runtime.registry import CaptionerContext
from captioning.runtime.trained import digest_folder, train_captioner
from tests.captioning.training.samples import SMALL, make_data

torch.set_num_threads(1)

CPU = CaptionerContext("cpu")
DATA, VALIDATION = make_data(72, with_worlds=True), make_data(6, seed=1, with_worlds=True)


def train(folder, captioner=LrcnCaptioner, data=DATA, seed=0, **settings):
    rng = np.random.default_rng(seed)
    return captioner.train(data, VALIDATION, folder=folder, rng=rng, context=CPU, settings={**SMALL, **settings})


def read_points(folder):
    return [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]


@pytest.fixture(autouse=True)
def _draw_nothing(monkeypatch):
    # Drawing takes longer than all else in a training of a few steps; the fixture of the module draws.
    monkeypatch.setattr("correlation.figures.render", lambda *_: b"<svg/>")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    return folder, train(folder, steps=150, validate_every=75, rate=0.01)


def test_cross_entropy_learns_the_captions(trained):
    folder, captioner = trained
    first, *_, last = read_points(folder)
    assert last["loss"] < first["loss"] / 3
    assert last["truth"] > 0.8
    assert last["bleu_4"] > 0.5
    found = captioner.caption(VALIDATION.images, rng=np.random.default_rng(0))
    assert sum(row[0] in lines for row, lines in zip(found.captions, VALIDATION.captions, strict=True)) >= 3


def test_reading_the_folder_gives_the_same_captions_and_scores(trained):
    folder, captioner = trained
    read = LrcnCaptioner.build(CPU, folder=folder)
    copy = pickle.loads(pickle.dumps(captioner))  # noqa: S301  # written in the same line
    decoding = Decoding(method="beam", beam_size=3, max_words=9)
    expected = captioner.caption(VALIDATION.images, n=2, decoding=decoding, rng=np.random.default_rng(0))
    for other in (read, copy):
        found = other.caption(VALIDATION.images, n=2, decoding=decoding, rng=np.random.default_rng(0))
        assert found.captions == expected.captions
    scores = read.score(VALIDATION.images, [row[1] for row in expected.captions])
    np.testing.assert_allclose(scores.log_probabilities, expected.log_probabilities[:, 1], atol=1e-5)
    assert scores.n_steps.tolist() == [len(row[1].split()) + 1 for row in expected.captions]


def test_scores_count_words_outside_the_vocabulary(trained):
    _, captioner = trained
    known, *_ = VALIDATION.captions[0]
    captions = [known, f"quokka {known}", "quokka yonder", "", known, known]
    assert captioner.score(VALIDATION.images, captions).n_unknown.tolist() == [0, 1, 2, 0, 0, 0]


def test_default_decoding_is_that_of_training_and_replays_from_its_record(trained):
    _, captioner = trained
    record = make_record(captioner, n=1, decoding=None, seed=0)
    assert Decoding.parse(record.decoding) == Decoding(max_words=SMALL["max_words"])
    first, again = (
        run_captioner(captioner, VALIDATION.images, decoding=decoding, rng=np.random.default_rng(0), allow_empty=True)
        for decoding in (None, Decoding.parse(record.decoding))
    )
    assert first.captions == again.captions


def test_training_twice_has_one_digest_and_defaults_are_not_another_training(tmp_path):
    registry = load_captioners(outside=False)
    small = {**SMALL, "steps": 2, "validate_every": 2}
    for name in ("one", "two"):
        train_captioner(registry, "fc", DATA, VALIDATION, folder=tmp_path / name, seed=1, settings=small)
    assert digest_folder(tmp_path / "one") == digest_folder(tmp_path / "two")
    given = {**small, "decay": 0.8}
    train_captioner(registry, "fc", DATA, VALIDATION, folder=tmp_path / "one", seed=1, settings=given)
    with pytest.raises(BadCheckpoint, match="it differs in settings"):
        train_captioner(registry, "fc", DATA, VALIDATION, folder=tmp_path / "one", seed=1, settings={"decay": 0.7})


def test_training_again_only_reads_the_result(trained):
    folder, _ = trained
    before = (folder / "weights.safetensors").stat().st_mtime_ns
    train(folder, steps=150, validate_every=75, rate=0.01)
    assert (folder / "weights.safetensors").stat().st_mtime_ns == before
    with pytest.raises(BadCheckpoint, match=r"its rate is 0\.01, not 0\.02"):
        train(folder, steps=150, validate_every=75, rate=0.02)
    with pytest.raises(BadCheckpoint, match="its data is"):
        train(folder, steps=150, validate_every=75, rate=0.01, data=make_data(with_worlds=True, seed=5))


@pytest.mark.parametrize("captioner", NEURAL_CAPTIONERS, ids=lambda each: each.info.id)
def test_every_architecture_trains_with_features(captioner, tmp_path):
    made = train(tmp_path, captioner, steps=2, validate_every=2)
    found = made.caption(VALIDATION.images, n=2, decoding=Decoding(method="sample"), rng=np.random.default_rng(0))
    assert np.isfinite(found.log_probabilities).all()


@pytest.mark.parametrize("objective", ["scst", "xe-scst", "jpc", "epc", "mcider", "uda"])
@pytest.mark.parametrize("reward", ["cider", "cider+retrieval"])
def test_every_objective_takes_its_steps(objective, reward, trained, tmp_path):
    settings = {"steps": 0, "objective": objective, "reward": reward, "objective_steps": 4, "n_samples": 3}
    train(tmp_path, start=str(trained[0]), retrieval_steps=3, **settings)
    points = read_points(tmp_path)
    assert points[-1]["reward"] is not None
    assert points[-1]["total_step"] == 4


def test_generator_is_trained_against_an_evaluator(tmp_path):
    settings = {"steps": 100, "rate": 0.01, "validate_every": 10, "objective": "adversarial", "n_samples": 3}
    made = train(tmp_path, CganCaptioner, objective_steps=20, objective_rate=0.005, **settings)
    points = read_points(tmp_path)
    assert [point["phase"] for point in points[-2:]] == ["adversarial"] * 2
    assert all(0 < point["reward"] < 1 for point in points[-2:])
    assert made.describe()["reward"] == "evaluator"
    assert not any(name.startswith("evaluator") for name in made.trained.tensors)


def test_what_adversarial_training_needs(trained, tmp_path):
    settings = {"objective": "adversarial", "objective_steps": 1}
    with pytest.raises(CaptionerError, match="'adversarial' trains the captioner 'cgan' only, got 'lrcn-1u'"):
        train(tmp_path, **settings)
    with pytest.raises(CaptionerError, match="`bf16` of a training must be off for 'adversarial', got True"):
        train(tmp_path, CganCaptioner, **settings, bf16=True)
    with pytest.raises(CaptionerError, match="adversarial, step 1 of 1: a step needs at least 2 human captions"):
        train(tmp_path, CganCaptioner, **settings, steps=0, batch_size=1)


def test_retrieval_reward_needs_two_images_of_a_process(trained, tmp_path):
    settings = {"start": str(trained[0]), "steps": 0, "objective": "scst", "objective_steps": 1, "reward": "retrieval"}
    with pytest.raises(CaptionerError, match=r"each process must have at least 2, got 1 \(`batch_size` 1, 1 processes"):
        train(tmp_path, **settings, batch_size=1)


def test_truth_as_reward_raises_truth(tmp_path):
    settings = {"steps": 20, "validate_every": 20, "rate": 0.005, "objective": "scst", "reward": "truth"}
    train(tmp_path, objective_steps=60, objective_rate=0.005, **settings)
    points = read_points(tmp_path)
    assert points[-1]["sample_truth"] > points[1]["sample_truth"] + 0.2


def test_patience_ends_a_phase_and_keeps_the_best_weights(tmp_path):
    # At this rate the loss rises and falls, differently on each kind of processor; of a hundred validations, two in a
    # row soon are no better than those before.
    made = train(tmp_path, steps=600, rate=3.0, patience=2, selection="loss")
    losses = [point["loss"] for point in read_points(tmp_path)[1:]]
    best = int(np.argmin(losses))
    assert len(losses) == best + 3 < 100
    scores = made.score(
        VALIDATION.images.select(np.repeat(np.arange(6), 2)), [line for lines in VALIDATION.captions for line in lines]
    )
    assert -scores.log_probabilities.sum() / scores.n_steps.sum() == pytest.approx(losses[best], abs=1e-5)


def test_second_phase_keeps_the_weights_of_the_first_if_none_are_better(tmp_path):
    settings = {"steps": 40, "validate_every": 20, "rate": 0.01, "selection": "cider", "validation_samples": 0}
    expected = train(tmp_path / "first", **settings)
    # The rate makes captions worse.
    found = train(tmp_path / "second", **settings, objective="scst", objective_steps=20, objective_rate=3.0)
    points = read_points(tmp_path / "second")
    assert points[-1]["phase"] == "scst"
    assert points[-1]["cider"] < max(point["cider"] for point in points)
    for name, values in expected.trained.tensors.items():
        np.testing.assert_array_equal(found.trained.tensors[name], values)


def test_weights_of_a_start_are_kept_if_none_are_better(trained, tmp_path):
    folder, expected = trained
    found = train(tmp_path, start=str(folder), steps=2, validate_every=2, rate=3.0, selection="loss")
    for name, values in expected.trained.tensors.items():
        np.testing.assert_array_equal(found.trained.tensors[name], values)


def test_selections_that_cannot_be_made_are_refused_before_the_first_step(tmp_path):
    with pytest.raises(CaptionerError, match=r"`patience` of a training must be 0 for the `selection` 'last'.*, got 2"):
        train(tmp_path, patience=2)
    rng = np.random.default_rng(0)
    with pytest.raises(CaptionerError, match=r"`selection` of a training is 'truth', but .* have 0"):
        LrcnCaptioner.train(
            *(DATA, make_data(6, seed=1)),
            folder=tmp_path,
            rng=rng,
            context=CPU,
            settings={**SMALL, "selection": "truth"},
        )
    assert not (tmp_path / "curve.jsonl").exists()


def test_loss_that_is_not_finite_names_the_step_and_keeps_the_checkpoint(tmp_path):
    with pytest.raises(CaptionerError, match=r"cross entropy, step \d+ of 12: .* (nan|NaN|inf)"):
        train(tmp_path, rate=1e30, validate_every=1, validation_images=1, validation_samples=0)
    assert not (tmp_path / "captioner.json").exists()


def test_errors_of_images_and_captions(trained, tmp_path):
    _, captioner = trained
    rng = np.random.default_rng(0)
    wrong = Images(keys=("a",), features=Regions.of_vectors(np.zeros((1, 3), dtype=np.float32)))
    with pytest.raises(CaptionerError, match=r"trained on features of length 12, but these images have .* 3"):
        captioner.caption(wrong, rng=rng)
    with pytest.raises(MissingInput, match="needs features"):
        captioner.caption(Images(keys=("a",)), rng=rng)
    with pytest.raises(CaptionerError, match="2 captions and 6 images"):
        captioner.score(VALIDATION.images, ["a", "b"])
    values = DATA.images.features.values.copy()
    values[3, 0, 0] = np.nan
    bad = make_data()
    object.__setattr__(bad.images, "features", Regions(values, bad.images.features.counts))
    with pytest.raises(CaptionerError, match="image 'image-3': features must be finite"):
        train(tmp_path, data=bad)
    with pytest.raises(CaptionerError, match="truth needs the world of every image"):
        train(tmp_path, data=make_data(), objective="scst", objective_steps=1, reward="truth")


def test_note_of_the_data_stands_in_every_file_of_a_training(monkeypatch, tmp_path):
    monkeypatch.undo()  # The figure is drawn.
    made = train(tmp_path, data=replace(DATA, note="text-conditioned"), steps=1, validate_every=1)
    assert LrcnCaptioner.build(CPU, folder=tmp_path).trained.note == made.trained.note == "text-conditioned"
    assert json.loads((tmp_path / "captioner.json").read_text())["note"] == "text-conditioned"
    assert [point["note"] for point in read_points(tmp_path)] == ["text-conditioned"] * 2
    for name in ("curve.svg", "index.html"):
        assert "text-conditioned" in (tmp_path / name).read_text()


def test_card_without_a_note_is_of_data_without_one(trained, tmp_path):
    folder, _ = trained
    card = json.loads((folder / "captioner.json").read_text())
    assert card.pop("note") == ""
    (tmp_path / "captioner.json").write_text(json.dumps(card))
    (tmp_path / "weights.safetensors").write_bytes((folder / "weights.safetensors").read_bytes())
    assert LrcnCaptioner.build(CPU, folder=tmp_path).trained.note == ""


def test_weights_that_give_nan_are_an_error(trained):
    folder, _ = trained
    captioner = LrcnCaptioner.build(CPU, folder=folder)
    network = captioner.network
    with torch.no_grad():
        network.decoder.output.bias.fill_(torch.nan)
    with pytest.raises(CaptionerError, match="NaN as log-probability of word 1"):
        captioner.caption(VALIDATION.images, rng=np.random.default_rng(0))
    with pytest.raises(BadCaptions, match="image 'image-0': the log-probability of caption 1 must be finite, got nan"):
        captioner.score(VALIDATION.images, ["a"] * 6)


def test_folder_of_another_captioner_or_damaged_is_an_error(trained, tmp_path):
    folder, _ = trained
    with pytest.raises(BadCheckpoint, match="of the architecture 'lrcn-1u', not 'fc'"):
        FcCaptioner.build(CPU, folder=folder)
    with pytest.raises(BadCheckpoint, match=r"has no captioner\.json"):
        FcCaptioner.build(CPU, folder=tmp_path)
    for name in ("captioner.json", "weights.safetensors"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "weights.safetensors").write_bytes(b"broken")
    with pytest.raises(BadCheckpoint, match="is damaged"):
        LrcnCaptioner.build(CPU, folder=tmp_path)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("weights", 3, "'weights' must be an object with texts as 'file' and 'sha256', got 3"),
        ("weights", {"file": 3, "sha256": ""}, "'weights' must be an object with texts"),
        ("words", 3, "'words' must be a list of different words, got 3"),
        ("words", ["a", "a"], "'words' must be a list of different words"),
        ("words", ["a", 1], "'words' must be a list of different words"),
        ("shape", [8], r"'shape' must be null or two positive numbers, got \[8\]"),
        ("shape", "88", "'shape' must be null or two positive numbers"),
        ("dimension", 0, "'dimension' must be null or a positive number, got 0"),
        ("dimension", True, "'dimension' must be null or a positive number, got True"),
        ("settings", [], r"'settings' must be an object, got \[\]"),
        ("settings", {"rate": "fast"}, r"captioner\.json: `rate` of a training must be of type float"),
        ("settings", {"speed": 1}, r"captioner\.json: training has no setting 'speed'"),
        ("note", 3, "'note' must be a text, got 3"),
        ("made_of", None, "'made_of' must be an object, got None"),
    ],
)
def test_card_with_an_invalid_field_is_an_error(field, value, message, trained, tmp_path):
    folder, _ = trained
    card = json.loads((folder / "captioner.json").read_text())
    (tmp_path / "captioner.json").write_text(json.dumps({**card, field: value}))
    (tmp_path / "weights.safetensors").write_bytes((folder / "weights.safetensors").read_bytes())
    with pytest.raises(BadCheckpoint, match=message):
        LrcnCaptioner.build(CPU, folder=tmp_path)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"speed": 1}, "training has no setting 'speed'"),
        ({"rate": 0}, "`rate` of a training must be positive, got 0"),
        ({"steps": 1.5}, "`steps` of a training must be of type int, got 1.5"),
        ({"bf16": 1}, "`bf16` of a training must be of type bool, got 1"),
        ({"objective": "reinforce"}, "`objective` of a training must be one of xe, scst"),
        ({"objective_steps": 5}, "`objective_steps` of a training must be 0 for the objective 'xe', got 5"),
        ({"objective": "epc", "objective_steps": 1, "n_samples": 1}, "`n_samples` .* at least 2 for 'epc', got 1"),
        ({"channels": "32-x"}, "`channels` of a training must be numbers such as 32-64-128, got '32-x'"),
        ({"min_count": 1000}, "no word occurs 1000 times"),
    ],
)
def test_invalid_settings(settings, message, tmp_path):
    with pytest.raises(CaptionerError, match=message):
        train(tmp_path, **settings)


def test_page_reloads_itself_only_until_training_is_complete(trained):
    folder, _ = trained
    page = (folder / "index.html").read_text()
    assert 'http-equiv="refresh"' not in page
    assert "<script" not in page
    assert (folder / "curve.svg").read_text().startswith("<svg")
    assert not list(folder.glob("checkpoint*"))


@pytest.mark.parametrize("steps", [2, 150])
def test_contract_is_kept_also_by_a_network_that_has_learned_little(steps, trained, tmp_path):
    captioner = trained[1] if steps == 150 else train(tmp_path, steps=2, validate_every=2)
    failed = {each.check: each.message for each in check_captioner(captioner, VALIDATION.images) if not each.passed}
    assert {name: message for name, message in failed.items() if "must have a word" not in message} == {}
    assert set(failed) <= {"valid-captions"}

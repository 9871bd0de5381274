"""Tests of design files: writing, reading, and errors."""

import pytest

from studies.design.design_files import read_design
from studies.design.presets import PRESETS
from studies.design.study_design import Checks, Panel, Pay, Qualification, ScalePoint, Slider, StudyDesign
from studies.enums import PanelKind, RaterOutcome, TaskKind
from studies.shared.errors import ImportFailed
from studies.shared.files import SourceFile


def _read(text, name="design.toml"):
    return read_design(SourceFile(name, text.encode()))


def test_every_field_is_read_from_toml() -> None:
    design, kind = _read(
        """
        question = "How well does it fit?"
        consent = "I agree."
        scale = ["Bad", "Fair", "Good"]
        raters_per_task = 5
        may_correct = false

        [qualification]
        pass_share = 0.75
        attempts = 3

        [checks]
        every = 10

        [panel]
        kind = "prolific"
        codes = {finished = "C1", not_qualified = "C2"}

        [pay]
        currency = "GBP"
        reward = 2
        hourly_wage = 12.5
        """
    )

    assert kind is None
    assert design == StudyDesign(
        question="How well does it fit?",
        consent="I agree.",
        scale=(ScalePoint(1, "Bad"), ScalePoint(2, "Fair"), ScalePoint(3, "Good")),
        raters_per_task=5,
        may_correct=False,
        qualification=Qualification(pass_share=0.75, attempts=3),
        checks=Checks(every=10),
        panel=Panel(kind=PanelKind.PROLIFIC, codes={RaterOutcome.FINISHED: "C1", RaterOutcome.NOT_QUALIFIED: "C2"}),
        pay=Pay(currency="GBP", reward=2.0, hourly_wage=12.5),
    )


def test_preset_is_a_start_that_fields_change() -> None:
    design, kind = _read('preset = "coco-m3"\nconsent = "I agree."\nraters_per_task = 7')

    preset = PRESETS["coco-m3"].design
    assert kind == TaskKind.RATING
    assert (design.question, design.scale) == (preset.question, preset.scale)
    assert (design.consent, design.raters_per_task) == ("I agree.", 7)


def test_json_and_valued_scales_and_sliders_are_read() -> None:
    text = '{"scale": [{"value": 0, "label": "No"}, {"value": 1, "label": "Yes"}]}'
    assert _read(text, "d.json")[0].scale == (ScalePoint(0, "No"), ScalePoint(1, "Yes"))
    sliding, _ = _read('slider = {low_label = "bad", high_label = "good"}')
    assert sliding.slider == Slider("bad", "good", 0.0, 100.0, 1.0)


def test_absent_parts_may_be_null() -> None:
    text = '{"preset": "slider-quality", "slider": null, "qualification": null, "exclusion_rules": {"agreement": null}}'
    design, _ = _read(text, "d.json")

    assert (design.slider, design.qualification, design.exclusion_rules.agreement) == (None, None, None)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_can_be_named(preset) -> None:
    design, kind = _read(f'preset = "{preset}"')

    assert (design, kind) == (PRESETS[preset].design, PRESETS[preset].kind)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("question = ", "must be TOML, or JSON"),
        ('preset = "best"', "field preset: must be one of .*, got 'best'"),
        ('quesion = "x"', "field quesion: is not a field; the fields are information, instructions"),
        ("question = 3", "field question: must be text, got 3"),
        ("raters_per_task = 2.5", "field raters_per_task: must be a whole number, got 2.5"),
        ("raters_per_task = true", "field raters_per_task: must be a whole number, got True"),
        ("raters_per_task = 0", "field raters_per_task: must be 1 or more, got 0"),
        ('may_correct = "no"', "field may_correct: must be true or false"),
        ('scale = ["one"]', "field scale: must be a list of two labels"),
        ("scale = [{value = 2, label = 'a'}, {value = 1, label = 'b'}]", "must rise"),
        ("scale = [{value = 2}, {value = 3}]", r"field scale\[1\]: lacks the field"),
        ("pay = 3", "field pay: must be a table with fields of currency"),
        ("pay = {wage = 3}", r"field pay\.wage: is not a field; the fields are currency"),
        ("pay = {reward = -1}", "field pay.reward: must be 0 or more, got -1"),
        ("pay = {hourly_wage = nan}", "field pay.hourly_wage: must be 0 or more, got nan"),
        (
            "scale = [{value = 1, label = 'a'}, {value = inf, label = 'b'}]",
            r"scale\[2\]\.value: must be a finite number",
        ),
        ("pay = {reward = 1" + "0" * 400 + "}", "field pay.reward: must be a number, got 1000"),
        ('panel = {kind = "amt", is_signed = true}', "field panel.is_signed: is for the panels prolific and generic"),
        (
            'panel = {kind = "generic", is_signed = true, signing_secret = "short"}',
            "field panel.signing_secret: must have 16 characters or more",
        ),
        ('panel = {return_url = "javascript:alert(1)"}', "field panel.return_url: must begin with https://"),
        ('panel = {kind = "mturk"}', "field panel.kind: must be one of link, prolific"),
        ('panel = {codes = {done = "x"}}', "field panel.codes.done: must be one of finished"),
        ("qualification = {attempts = 1}", "must be 2 or more: one attempt is not enough"),
        ("qualification = {pass_share = 1.5}", "must be above 0 and at most 1"),
        (
            'slider = {low_label = "a", high_label = "b", low = 5, high = 5}',
            "must have a low value below the high value",
        ),
    ],
)
def test_what_is_wrong_is_named(text, message) -> None:
    with pytest.raises(ImportFailed, match=message):
        _read(text)

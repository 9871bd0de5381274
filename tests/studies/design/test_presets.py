"""Tests of presets, which need only a consent text to be opened, and of the page with their sources."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from studies.collection.lifecycle import open_study
from studies.design.presets import ORDINAL_RATERS, PRESETS, RATERS, Preset, start_design
from studies.design.study_design import StudyDesign
from studies.enums import StudyState, TaskKind
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW

PAGE = Path(__file__).resolve().parents[3] / "docs/task-kinds.md"
each_preset = pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.name)


@pytest.mark.django_db
@each_preset
def test_preset_can_be_opened_with_a_consent_text(preset: Preset, settings, tmp_path) -> None:
    settings.MEDIA_ROOT = tmp_path
    fields = {name: getattr(preset.design, name) for name in asdict(preset.design)}
    study = make_designed_study(kind=preset.kind, n_tasks=1, **(fields | {"consent": "I agree."}))

    open_study(study, now=NOW)

    study.refresh_from_db()
    assert study.state == StudyState.OPEN


@each_preset
def test_design_survives_the_database(preset: Preset) -> None:
    assert StudyDesign.from_json(json.loads(json.dumps(preset.design.to_json()))) == preset.design


@each_preset
def test_rating_has_a_scale_or_a_slider_and_nothing_else_has(preset: Preset) -> None:
    n_ways = bool(preset.design.scale) + bool(preset.design.slider)

    assert n_ways == (preset.kind == TaskKind.RATING)


@each_preset
def test_preset_plans_enough_raters_for_a_human_ceiling(preset: Preset) -> None:
    assert preset.design.raters_per_task >= (5 if len(preset.design.scale) > 2 else 3)


def test_every_kind_has_a_preset() -> None:
    assert {preset.kind for preset in PRESETS.values()} == set(TaskKind)


def test_page_names_every_preset_with_its_kind() -> None:
    rows = dict(re.findall(r"^\| `([\w-]+)` \| `(\w+)` \|", PAGE.read_text(), re.MULTILINE))

    assert rows == {preset.name: preset.kind.value for preset in PRESETS.values()}


@pytest.mark.parametrize("kind", TaskKind)
def test_kind_without_a_preset_starts_with_a_question_and_enough_raters(kind: TaskKind) -> None:
    design = start_design(kind)

    assert design.question in {preset.design.question for preset in PRESETS.values() if preset.kind == kind}
    assert design.raters_per_task >= (ORDINAL_RATERS if kind == TaskKind.RATING else RATERS)

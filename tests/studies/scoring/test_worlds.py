"""The worlds of a dataset reach metrics wherever they score: in this process, in workers, and in the sandbox."""

from pathlib import Path

import pytest

from metrics_plugins.api import Input, Level
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.sandbox import PluginChoice, SandboxLimits
from metrics_plugins.runtime.sandbox.catalog import describe_registration
from metrics_plugins.runtime.sessions import AskedMetric, Backend, make_backend
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.models import Image, Study
from studies.scoring.chunks import unpack_scores
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import InputRows, build_rows
from studies.scoring.pipeline import InputPlan, score_input
from studies.scoring.references import ReferenceSelection
from tests.factories.studies import NOW
from tests.studies.known_worlds import write_folder

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(settings, tmp_path: Path) -> Study:
    settings.MEDIA_ROOT = tmp_path / "media"
    options = ImportOptions(write_folder(tmp_path / "worlds"), system=("good.txt", "bad.txt"))
    import_data("shapeworld", options=options, now=NOW)
    return Study.objects.get()


def build(study: Study) -> InputRows:
    return build_rows(study.dataset, level=Level.SEGMENT, selection=ReferenceSelection("all"))


def make(kind: str) -> Backend:
    if kind == "sandbox":
        return make_backend(kind, plugins=PluginChoice(outside=False), limits=SandboxLimits(seconds=60))
    return make_backend(kind, registry=load_registry(), workers=2)


@pytest.mark.parametrize("kind", ["inline", "processes", "sandbox"])
def test_metrics_of_truth_score_everywhere(study: Study, kind: str) -> None:
    registry = load_registry()
    metrics = [AskedMetric(describe_registration(registry.get(name))) for name in ("gtd-truthful", "gtd-grammatical")]

    found = score_input(InputPlan(build(study), metrics, chunk_size=4), backend=make(kind), now=lambda: NOW)

    assert found.failures == {}
    scores = {name: unpack_scores(run).tolist() for name, run in found.runs.items()}
    # The captions of each world, by `good` and by `bad`.
    assert scores["gtd-truthful"] == [1, 0, 1, 0, 1, 0]
    assert scores["gtd-grammatical"] == [1, 1, 1, 1, 1, 0]


def test_a_dataset_where_one_image_has_no_world_gives_none(study: Study) -> None:
    Image.objects.filter(key="world-1").update(world=None)

    assert Input.WORLD not in build(study).available_inputs


def test_an_invalid_world_is_an_error_of_scoring(study: Study) -> None:
    Image.objects.filter(key="world-1").update(world={"size": 64})

    with pytest.raises(ScoringFailed, match=r"image world-1: needs color\.name, size and entities"):
        build(study).make_batch([2])

"""Tests of the system scores of real COCO results."""

import pycocoevalcap
import pytest

from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.models import Study
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW

# As coco-caption's demo prints them to three digits, recomputed with pycocoevalcap 1.2: README of the data folder.
DEMO = {
    "bleu-1": 0.5793995755,
    "bleu-2": 0.4043912974,
    "bleu-3": 0.2785363857,
    "bleu-4": 0.1908290438,
    "rouge-l": 0.3962526936,
    "cider-d": 0.5997905185,
}


@pytest.mark.slow
@pytest.mark.django_db
def test_coco_caption_demo(data_folder):
    jar = f"{pycocoevalcap.__path__[0]}/spice/spice-1.0.jar!coco/annotations/captions_val2014.json"
    source = data_folder / "coco" / "captions_val2014_fakecap_results.json"
    import_data("coco", options=ImportOptions(source=source, annotations=jar), now=NOW)

    report = score_study(Study.objects.get(name="coco"), now=lambda: NOW, metrics=tuple(DEMO))

    (scored,) = report.inputs
    ((system, values),) = scored.systems.rows
    assert (system, scored.n_rows) == ("fakecap", 1000)
    assert dict(zip(scored.systems.metrics, values, strict=True)) == pytest.approx(DEMO, abs=0.00001)

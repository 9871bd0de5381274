import numpy as np
import pytest

from metrics_plugins.api import FitsOn, Fittable, Metric, MetricError
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.holding_out import hold_out
from metrics_plugins.probes.scoring import check_metrics, fit_on_references, run_checked
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.probes.captions import REFERENCES, Failing, Looking, OfSystems, Words, describe

BATCH = hold_out(REFERENCES).make_batch()


class Learning(Fittable):
    info = describe("learning", fits_on=FitsOn.JUDGMENTS)

    def fit(self, batch, targets, rng):
        return Words()


def test_fittable_metrics_learn_and_others_stay_themselves():
    cider, words = load_registry().build("cider-d"), Words()

    fitted, same = fit_on_references(check_metrics([cider, words]), BATCH, rng=np.random.default_rng(0))

    assert isinstance(fitted, Metric)
    assert fitted.info.id == "cider-d"
    assert same is words


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ([], "needs at least one metric"),
        ([Words(), Words()], "metric 'words' must be given once, got it 2 times"),
        ([OfSystems()], "metric 'of-systems' gives one score for each corpus"),
        ([Looking()], "metric 'looking' reads image, and this probe has only candidate, image_key, references"),
        ([Learning()], "metric 'learning' learns from judgments: fit it first"),
    ],
)
def test_a_metric_that_cannot_be_probed_is_said(metrics, message):
    with pytest.raises(ProbeError, match=message):
        check_metrics(metrics)


def test_whatever_a_metric_raises_names_it():
    with pytest.raises(MetricError, match="metric 'failing' fails: ZeroDivisionError: no words"):
        run_checked(Failing(), BATCH, rng=np.random.default_rng(0))

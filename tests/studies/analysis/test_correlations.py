"""Tests of correlations of small studies computed in comments, and of the published data sets."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from correlation.defaults import explain_few
from correlation.errors import CorrelationInputError
from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.row import ResultRow
from correlation.resampling.intervals import IntervalRequest
from metrics_plugins.api import MetricInfo
from metrics_plugins.api.errors import UnknownMetric
from metrics_plugins.runtime import load_registry
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import correlate_observations, correlate_study
from studies.datasets.importing.formats import import_data
from studies.datasets.importing.options import ImportOptions
from studies.enums import TaskKind
from studies.models import Item, Run, Study
from studies.scoring.errors import MissingScores
from studies.scoring.study_scoring import score_study
from tests.docs.test_tables_doc import METRICS, check_values
from tests.factories.studies import NOW
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.api.examples import ExamplePlugin, Recall, Variety, Words, make_info
from tests.studies.collection.test_judgments import judge
from tests.studies.rated import EACH, make_rated_study
from tests.studies.scoring.rows import add_item, make_rows

MEAN = "custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson"
PAIRS = "custom@1|rows:all|refs:all|ratings:majority|level:pair|coef:accuracy|ties:half"

pytestmark = pytest.mark.django_db


class Brevity(Words):
    """Counts words like `Words`, and calls fewer of them better."""

    info: ClassVar[MetricInfo] = make_info("brevity", higher_is_better=False)


REGISTRY = load_registry([ExamplePlugin(Words, Recall, Brevity, Variety)], blocked=INSTALLED_PLUGINS)


def score(study, **arguments):
    return score_study(study, now=lambda: NOW, registry=REGISTRY, **arguments)


def correlate(study, **arguments):
    return correlate_study(study, registry=REGISTRY, **arguments).rows


def make_judged(*, protocol=MEAN):
    """Make a study of three rated candidates of 3, 3 and 2 words, whose mean ratings are 3, 2 and 1."""
    study = make_rows(protocol=protocol)
    add_item(study, "sea", position=2)
    judge(study, (4, 2, 1), (2, 2, 1))
    return study


def test_a_row_says_all_that_is_needed_to_read_it():
    study = make_judged()
    score(study)

    found = correlate_study(study, registry=REGISTRY, metrics=["words"])

    # Pearson of (3, 3, 2) with (3, 2, 1) is 1 / sqrt(2/3 * 2) = sqrt(3)/2.
    assert (found.study, found.protocol, found.signatures) == ("rows", "custom@1", {"words": f"words|v:1 / {MEAN}"})
    assert [replace(row, value=round(row.value, 12)) for row in found.rows] == [
        ResultRow(
            metric="words",
            coefficient="pearson",
            level="item",
            category=None,
            value=round(3**0.5 / 2, 12),
            low=None,
            high=None,
            n=3,
            n_missing=0,
            caution=explain_few(3, "images"),
        )
    ]


def test_a_metric_of_which_less_is_better_is_negated():
    study = make_judged()
    score(study)

    found = correlate_study(study, registry=REGISTRY)

    rows = {row.metric: row for row in found.rows}
    assert rows["brevity"].value == -rows["words"].value
    assert found.signatures["brevity"] == f"brevity|v:1|negated / {MEAN}"


def test_an_undefined_value_is_none():
    study = make_rows(protocol=MEAN)
    judge(study, (1, 4))
    score(study, metrics=["words"])

    # Both candidates have three words.
    assert [(row.value, row.n) for row in correlate(study, metrics=["words"])] == [(None, 2)]


def test_pairs_are_compared_by_their_two_scores():
    study = make_rows(protocol=PAIRS)
    Study.objects.update(kind=TaskKind.PAIRWISE)
    study.refresh_from_db()
    Item.objects.all().delete()
    for position, key in enumerate(("dog", "cat", "sea")):
        add_item(study, key, position=position + 2, other=True)
    judge(study, (1, 1, -1), (1, 1, -1), (-1, 1, 1))
    score(study, metrics=["words"])

    # Words are 3:2, 3:3 and 2:1, the majorities +, + and -: one right, one tie worth a half, one wrong.
    assert [(row.coefficient, row.value, row.n) for row in correlate(study)] == [("accuracy", 0.5, 3)]


def test_votes_on_pairs_are_never_set_against_the_first_captions_alone():
    study = make_judged(protocol=PAIRS)
    Study.objects.update(kind=TaskKind.PAIRWISE)
    study.refresh_from_db()
    score(study, metrics=["words"])

    with pytest.raises(CorrelationInputError, match="study rows: must be a protocol for pairs, got custom@1"):
        correlate(study, protocol=MEAN)


def test_candidates_among_their_references_are_dropped():
    study = make_judged(protocol="flickr8k-expert@1")
    score(study)

    # "a dog runs" and "the cat naps" are references, "the sea" is not: its two ratings remain.
    assert [(row.metric, row.n, row.value) for row in correlate(study, metrics=["recall"])] == [("recall", 2, None)]


def test_the_sibling_that_a_protocol_belongs_to_is_used():
    study = make_judged()
    sibling = make_sibling(study, "direct", protocol="composite@1")
    add_item(sibling, "dog", position=0)
    add_item(sibling, "sea", position=1)
    judge(sibling, (3, 1))
    score(study)

    gathered = gather_observations(study, protocol="composite", metrics=["words"], registry=REGISTRY)

    assert gathered.study == sibling
    asked = {"registry": REGISTRY, "metrics": ["words"]}
    assert correlate_study(study, protocol="composite@1", **asked).study == "direct"
    assert correlate_study(study, **asked).study == "rows"


def test_two_siblings_with_the_protocol_must_be_told_apart():
    study = make_judged()
    make_sibling(study, "one", protocol="composite@1")
    make_sibling(study, "two", protocol="composite@1")

    with pytest.raises(CorrelationInputError, match="composite@1 is used by several studies; choose one of: one, two"):
        correlate(study, protocol="composite@1")


def make_sibling(study, name, *, protocol):
    return Study.objects.create(
        dataset=study.dataset, name=name, title=name, kind=study.kind, protocol=protocol, created_at=NOW
    )


@dataclass(frozen=True)
class Missing:
    scored: tuple[str, ...]
    asked: dict
    message: str


@pytest.mark.parametrize(
    "case",
    [
        Missing((), {}, "study rows has no scores of any metric with references all; run: manage.py score rows$"),
        Missing(("words",), {"metrics": ["recall", "words"]}, "recall with references all; run: .* --metrics recall$"),
        Missing(
            ("words",),
            {"metrics": ["words"], "protocol_options": ["references=draw-1x1"]},
            "run: manage.py score rows --metrics words --protocol 'custom@1' --option 'references=draw-1x1'$",
        ),
        Missing(
            ("words",),
            {"protocol": "flickr8k-cf"},
            "exclude-candidates-per-image; run: manage.py score rows --protocol 'flickr8k-cf@1'$",
        ),
    ],
)
def test_missing_scores_come_with_the_command(case):
    study = make_judged()
    if case.scored:
        score(study, metrics=case.scored)

    with pytest.raises(MissingScores, match=case.message):
        correlate(study, **case.asked)


def test_metrics_without_scores_are_named_if_others_have_some():
    study = make_judged()
    score(study, metrics=["words"])

    gathered = gather_observations(study, registry=REGISTRY)

    assert [observed.metric for observed in gathered.metrics] == ["words"]
    assert gathered.unscored == ("brevity", "recall")


def test_scores_of_another_version_do_not_count():
    study = make_judged()
    score(study, metrics=["words"])
    Run.objects.update(signature="words|v:0")

    with pytest.raises(MissingScores, match="no scores of words"):
        correlate(study, metrics=["words"])


def test_captions_added_since_are_noticed():
    study = make_judged()
    score(study)
    item = Item.objects.first()
    other = make_rows("other", protocol=MEAN)
    Item.objects.filter(pk=item.pk).update(candidate=Item.objects.filter(task__study=other).first().candidate)

    with pytest.raises(MissingScores, match="1 captions were added after it was scored"):
        correlate(study)


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"protocol": "nobody"}, CorrelationInputError, "protocol nobody: unknown protocol"),
        ({"metrics": ["wrods"]}, UnknownMetric, "did you mean words"),
        ({"protocol": PAIRS}, CorrelationInputError, "study rows: must be a protocol for ratings, got custom@1"),
    ],
)
def test_what_does_not_fit_is_refused(asked, error, message):
    study = make_judged()
    score(study)

    with pytest.raises(error, match=message):
        correlate(study, **asked)


def test_a_study_without_judgments():
    with pytest.raises(CorrelationInputError, match="study rows has no judgments yet"):
        correlate(make_rows(protocol=MEAN))


def test_the_seed_of_drawn_references_is_signed():
    study = make_judged()
    score(study, protocol_options=["references=draw-2x1"], metrics=["recall"])

    asked = {"metrics": ["recall"], "protocol_options": ["references=draw-2x1"]}
    found = correlate_study(study, registry=REGISTRY, **asked)

    assert found.signatures["recall"].endswith("|refs:draw-2x1|ratings:mean|level:item|coef:pearson|seed:0")


def bound(study, *, seed=0, **request):
    gathered = gather_observations(study, metrics=["length", "rouge-l"])
    interval = IntervalRequest(**{"method": "percentile", "resampled": ("images", "raters"), **request})
    return correlate_observations(gathered, interval=interval, seed=seed)


def test_an_interval_fills_the_bounds_and_is_signed():
    study = make_rated_study()

    plain = correlate_study(study)
    found = bound(study, seed=7, n_resamples=50)

    resampled = "ci:percentile|resampled:images+raters|n:50|confidence:0.95|seed:7"
    assert found.signatures == {name: f"{text} / {resampled}" for name, text in plain.signatures.items()}
    assert all(row.low < row.value < row.high for row in found.rows)
    assert [replace(row, low=None, high=None) for row in found.rows] == list(plain.rows)


def test_the_bounds_are_those_of_the_engine():
    study = make_rated_study()
    gathered = gather_observations(study, metrics=["length"])
    data = gathered.judgments.make_data(gathered.metrics[0].scores, gathered.protocol)
    request = IntervalRequest("bca", ("images",), n_resamples=50)

    (expected,) = evaluate_protocol(gathered.protocol, data, interval=request, rng=np.random.default_rng(3))

    (row,) = correlate_observations(gathered, interval=request, seed=3).rows
    assert (row.low, row.high) == (expected.low, expected.high)


def test_equal_seeds_give_equal_bounds_whatever_the_primary_keys():
    # One study has the primary keys 1, 2, ..., the other those that follow: 9 comes before 10, but "10" before "9".
    first, second = make_rated_study("first"), make_rated_study("second")

    def get_bounds(study, seed):
        return [(row.low, row.high) for row in bound(study, seed=seed, n_resamples=20).rows]

    assert get_bounds(first, 1) == get_bounds(first, 1) == get_bounds(second, 1) != get_bounds(first, 2)


def test_the_seed_is_signed_only_where_something_is_drawn():
    study = make_rated_study(protocol=EACH.replace("kendall-c", "pearson"))

    found = bound(study, method="fisher", resampled=())

    row = found.rows[0]
    assert row.low < row.value < row.high
    assert found.signatures[row.metric].endswith("coef:pearson / ci:fisher|confidence:0.95")


def test_raters_that_are_positions_are_not_resampled():
    study = make_rated_study(are_placeholders=True)

    with pytest.raises(
        CorrelationInputError, match=r"study rated: its raters are placeholders .* not individual raters"
    ):
        bound(study)
    assert all(row.low < row.high for row in bound(study, resampled=("images",), n_resamples=20).rows)


def import_and_score(name, folder, data_folder, *metrics):
    """Return a published study with scores of the metrics and of those whose values its table in docs/ must have."""
    import_data(name, options=ImportOptions(source=data_folder / folder), now=NOW)
    study = Study.objects.get(name=name)
    report = score_study(study, now=lambda: NOW, metrics=sorted({*metrics, *METRICS}))
    assert report.failures == ()
    check_values(name, correlate_study(study, metrics=METRICS).rows)
    return study


def get_values(rows, *, scale=100):
    return {(row.metric, row.category or row.coefficient): row.value * scale for row in rows}


def test_composite_leaves_a_caption_out_of_its_own_row(data_folder):
    # The whole Flickr8k part has 20.8, and 23.4 with captions left out by image (README of the data folder); this half
    # was computed by pycocoevalcap's formula in tests/docs/protocol_tables.py.
    folder = data_folder / "composite"
    options = ImportOptions(
        source=folder / "composite_8k_half.csv",
        study="composite",
        references=(data_folder / "flickr8k" / "Flickr8k.token.txt.gz",),
        column=("candidate=caption", "value=correctness"),
        scale="1-5",
        protocol="composite@1",
    )
    found = import_data("table", options=options, now=NOW)
    study = Study.objects.get(name="composite")
    score_study(study, now=lambda: NOW, metrics=["bleu-1"])

    gathered = gather_observations(study)

    assert found.notes == (
        "476 of 1,428 captions are references of their image (26 exactly, 450 after normalising case, blanks and "
        "punctuation)",
    )
    assert gathered.own_captions.list_notes() == found.notes
    (row,) = correlate_observations(gathered).rows
    assert (round(100 * row.value, 2), row.n) == (21.82, 1_428)


def test_flickr8k_expert(data_folder):
    # Recomputed with pycocoevalcap 1.2 and SciPy: README of the data folder, and Hessel et al. (2021), table 1.
    expected = {"bleu-1": 32.32, "bleu-4": 30.78, "rouge-l": 32.31, "cider-d": 43.89}

    study = import_and_score("flickr8k-expert", "flickr8k", data_folder, *expected)
    rows = correlate_study(study, metrics=list(expected)).rows

    values = {metric: value for (metric, _), value in get_values(rows).items()}
    assert values == pytest.approx(expected, abs=0.01)
    assert {(row.n, row.n_missing, row.coefficient) for row in rows} == {(16_992, 0, "kendall-c")}


@pytest.mark.slow
def test_flickr8k_cf(data_folder):
    # Hessel et al. (2021), table 2, with the third decimal that Sarto et al. (2023) print. It needs the rule that a
    # candidate takes away one equal reference: taking all away costs 0.005.
    expected = {"bleu-1": 17.946, "bleu-4": 16.863, "rouge-l": 19.903, "cider-d": 24.619}

    study = import_and_score("flickr8k-cf", "flickr8k", data_folder, *expected)
    rows = correlate_study(study, metrics=list(expected)).rows

    values = {metric: value for (metric, _), value in get_values(rows).items()}
    assert values == pytest.approx(expected, abs=0.001)
    assert {(row.n, row.n_missing, row.coefficient) for row in rows} == {(47_830, 0, "kendall-b")}


@pytest.mark.slow
def test_pascal50s_in_both_protocols(data_folder):
    metrics = ["bleu-4", "rouge-l", "cider-d"]
    study = import_and_score("pascal-50s", "pascal50s", data_folder, *metrics)

    # 48-vote labels, the references shipped with them, ties wrong; recomputed with pycocoevalcap 1.2.
    consensus = correlate_study(study, metrics=metrics).rows
    assert get_values(consensus) == pytest.approx(
        make_expected(
            {
                "bleu-4": (61.1, 93.6, 84.8, 58.7),
                "rouge-l": (62.7, 95.9, 91.7, 60.4),
                "cider-d": (65.4, 98.6, 90.1, 65.0),
            }
        ),
        abs=0.1,
    )
    assert {row.n for row in consensus if row.category == "mean"} == {4000}

    # 11 direct votes, 50 references, a tie chooses the first caption: Wang et al. (2020), table 2 (for CIDEr-D
    # recomputed with document frequencies over the 4,000 pairs).
    direct = correlate_study(study, protocol="spice-u-pascal@1", metrics=metrics)
    accuracies = [row for row in direct.rows if row.coefficient == "accuracy"]
    assert direct.study == "pascal-50s-direct"
    assert get_values(accuracies) == pytest.approx(
        make_expected(
            {
                "bleu-4": (55.00, 97.30, 92.60, 61.80),
                "rouge-l": (54.60, 98.70, 96.00, 62.00),
                "cider-d": (53.10, 99.30, 92.10, 67.30),
            }
        ),
        abs=0.01,
    )
    pearson = {row.metric: row.value for row in direct.rows if row.coefficient == "pearson"}
    assert pearson == pytest.approx({"bleu-4": 0.5810, "rouge-l": 0.7315, "cider-d": 0.6429}, abs=0.0001)


def make_expected(table):
    return {
        (metric, category): value
        for metric, values in table.items()
        for category, value in zip(("HC", "HI", "HM", "MM", "mean"), (*values, sum(values) / 4), strict=True)
    }

from dataclasses import replace

import numpy as np
import pytest

from correlation.agreement.ceiling import measure_ceiling
from correlation.comparison.compare import ComparisonRequest, compare_metrics
from correlation.errors import CorrelationInputError
from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import get_protocol
from correlation.reports.build import build_report
from correlation.reports.json_form import print_json
from correlation.reports.latex import print_latex
from correlation.reports.layout import write_sentences
from correlation.resampling.intervals import IntervalRequest
from correlation.tables import JudgmentTable

RNG = np.random.default_rng(5)
N = 90
TRUTH = RNG.normal(size=N)
RATINGS = np.clip(np.round(2.5 + TRUTH[:, None] + RNG.normal(size=(N, 3))), 1, 4)
TABLE = JudgmentTable.build(
    items=np.arange(N),
    image=np.arange(N) // 3,
    system=np.arange(N) % 3,
    item=np.arange(N).repeat(3),
    rater=np.tile(["x", "y", "z"], N),
    value=RATINGS.reshape(-1),
)
DATA = RatedItems.build(TABLE, scores=TRUTH, in_references=np.arange(N) == 0)
RATED = {
    "noise": DATA.with_scores(RNG.normal(size=N)),
    "truth": DATA,
    "fair": DATA.with_scores(TRUTH + RNG.normal(size=N)),
}
EXPERT = get_protocol("flickr8k-expert")
VOTES = JudgmentTable.build(
    items=np.arange(40),
    image=np.arange(40) // 2,
    category=np.repeat(["HC", "MM"], 20),
    item=np.arange(40),
    rater=["consensus"] * 40,
    value=np.ones(40),
)
PAIRS = {
    "all": JudgedPairs.build(VOTES, scores=np.tile([1.0, 0.0], (40, 1))),
    "half": JudgedPairs.build(VOTES, scores=np.stack([np.arange(40) % 2, np.full(40, 0.5)], axis=1)),
}
PASCAL = get_protocol("pascal-50s", categories=("HC", "MM"))


def build(protocol=EXPERT, data=RATED, rng=3, **options):
    return build_report(protocol, data, rng=rng, **{"resamples": 100, **options})


def test_rows_are_those_of_the_protocol_best_first():
    report = build(title="table", signatures={"fair": "fair|v:1"})

    interval = IntervalRequest("percentile", ("images",), 100)
    for name in ("truth", "fair", "noise"):
        (expected,) = evaluate_protocol(EXPERT, RATED[name], interval=interval, rng=np.random.default_rng(3))
        row = report.get_row(name, report.ranking_measure)
        assert (row.value, row.low, row.high, row.n) == (expected.value, expected.low, expected.high, 3 * (N - 1))
    assert [row.metric for row in report.rows] == ["truth", "fair", "noise"]
    assert [(metric.id, metric.signature) for metric in report.metrics] == [
        ("truth", ""),
        ("fair", "fair|v:1"),
        ("noise", ""),
    ]
    assert (report.title, report.protocol) == ("table", EXPERT.signature)


def test_differences_are_those_of_the_rows_that_the_protocol_keeps():
    report = build()

    kept = TABLE.item[TABLE.item != 0]
    expected = compare_metrics(
        {name: data.scores[0][kept] for name, data in RATED.items()},
        TABLE.value[TABLE.item != 0],
        level="item",
        coefficient="kendall-c",
        request=ComparisonRequest("perm-input", n_resamples=100),
        groups=TABLE.image[kept],
        items=kept,
        rng=np.random.default_rng(3),
    )
    assert [(d.first, d.second, d.p_value, d.p_adjusted, d.n) for d in report.differences] == [
        (d.first, d.second, d.p_value, d.p_adjusted, 3 * (N - 1)) for d in expected.differences
    ]
    assert [row.letters for row in report.rows] == list(expected.letters)


def test_ceiling_is_in_the_coefficient_of_the_table_and_what_exceeds_it_is_marked():
    report = build(ceilings=["mean-pairwise", "mean-pairwise:kendall-b", "leave-one-out"])

    used = TABLE.item != 0
    expected = measure_ceiling(TABLE.keep(used), method="mean-pairwise", coefficient="kendall-c").value
    assert [(c.method, c.coefficient, c.n, c.n_parts) for c in report.ceilings] == [
        ("mean-pairwise", "kendall-c", 3 * (N - 1), 3),
        ("mean-pairwise", "kendall-b", 3 * (N - 1), 3),
        ("leave-one-out", "kendall-c", 3 * (N - 1), 3),
    ]
    assert report.ceilings[0].value == expected
    assert report.ceilings[0].low < expected < report.ceilings[0].high
    by_metric = {row.metric: row for row in report.rows}
    assert {name: row.is_above_ceiling for name, row in by_metric.items()} == {
        "truth": True,
        "fair": by_metric["fair"].value > expected,
        "noise": False,
    }


def test_ceiling_in_another_coefficient_marks_nothing():
    assert not any(row.is_above_ceiling for row in build(ceilings=["mean-pairwise:kendall-wmt"]).rows)


def test_same_seed_same_bytes_and_the_seed_drawn_from_a_generator_is_kept():
    drawn = build(rng=np.random.default_rng(8))

    assert print_json(build()) == print_json(build())
    assert build(rng=drawn.design.seed) == drawn
    assert build(rng=4) != build()


def test_order_of_the_metrics_changes_nothing():
    assert print_json(build(data=dict(reversed(RATED.items())))) == print_json(build())


def test_one_metric_has_no_differences_and_no_letter():
    report = build(data={"truth": DATA})

    assert report.differences == ()
    assert report.rows[0].letters is None


def test_only_what_is_asked_for_is_made():
    report = build(method=None, test=None, ceilings=())

    assert [(row.low, row.letters, row.is_above_ceiling) for row in report.rows] == [(None, None, False)] * 3
    assert (report.differences, report.ceilings, report.design.signature) == ((), (), "seed:3")


def test_pairs_have_categories_and_their_mean():
    report = build(PASCAL, PAIRS)

    assert [(row.metric, row.category, row.value, row.letters) for row in report.rows] == [
        ("all", "HC", 1.0, "a"),
        ("all", "MM", 1.0, "a"),
        ("all", "mean", 1.0, "a"),
        ("half", "HC", 0.5, "b"),
        ("half", "MM", 0.5, "b"),
        ("half", "mean", 0.5, "b"),
    ]
    assert [(d.category, d.difference, d.n) for d in report.differences] == [
        ("HC", 0.5, 20),
        ("MM", 0.5, 20),
        ("mean", 0.5, 40),
    ]
    assert report.notes == (
        "no human ceiling: no pair has several votes to compare; plan at least three raters per pair to obtain one",
    )


def test_systems_are_resampled_where_all_is_at_system_level():
    report = build(get_protocol("custom", rows="all", references="all", ratings="mean", measures="system:pearson"))

    assert (report.design.clusters, report.design.test) == (("systems",), "perm-system")
    assert report.differences == ()
    assert {row.caution.partition(":")[0] for row in report.rows} == {"only 3 systems, fewer than 10"}
    assert [row.p_value for row in report.rows] == [None] * 3


def test_undefined_metric_is_last_with_its_reason_and_no_letter():
    report = build(data={"constant": DATA.with_scores(np.ones(N)), **RATED})

    last = report.rows[-1]
    assert (last.metric, last.value, last.low, last.letters) == ("constant", None, None, None)
    assert last.reason == "the score is 1 in all 267 observations"


def test_missing_score_leaves_differences_fewer_rows_than_its_own_metric():
    holes = np.where(np.arange(N) < 10, np.nan, TRUTH)
    report = build(data={"holes": DATA.with_scores(holes), "fair": RATED["fair"]})

    assert {row.metric: (row.n, row.n_missing) for row in report.rows} == {"holes": (240, 27), "fair": (267, 0)}
    assert (report.differences[0].n, report.differences[0].n_missing) == (240, 27)


def test_fewer_than_ten_images_have_intervals_with_a_caution_and_no_test():
    few = replace(DATA, judgments=TABLE.keep(TABLE.item // 3 < 9), in_references=np.zeros(N, dtype=bool))
    data = {name: replace(few, scores=each.scores) for name, each in RATED.items()}

    report = build(data=data)

    assert report.differences == ()
    assert [(row.letters, row.low is not None) for row in report.rows] == [(None, True)] * 3
    assert report.cautions == (report.rows[0].caution,)
    assert report.cautions[0].startswith("only 9 images, fewer than 10: differences are not tested")
    assert write_sentences(report)[0] == f"Caution: {report.cautions[0]}."
    assert build().cautions == ()


def test_a_metric_with_scores_of_few_images_is_not_tested_and_leaves_the_others_their_rows():
    scores = np.where(np.arange(N) // 3 < 8, RNG.normal(size=N), np.nan)

    report = build(data={**RATED, "rare": DATA.with_scores(scores)})

    assert {(each.first, each.second) for each in report.differences} == {
        (each.first, each.second) for each in build().differences
    }
    assert {each.n for each in report.differences} == {267}
    assert [row.metric for row in report.rows if row.letters is None] == ["rare"]
    (caution,) = report.cautions
    assert caution.startswith("rare: only 8 images, fewer than 10: differences are not tested")


def test_draws_of_references_are_not_compared_and_it_is_said():
    data = {name: each.with_scores(np.stack([each.scores[0]] * 2)) for name, each in RATED.items()}

    report = build(data=data)

    assert report.differences == ()
    assert report.notes == (
        "differences of kendall-c at level item were not tested: a value is a mean over 2 draws of references",
    )


def test_too_few_resamples_are_said():
    assert build(resamples=30).notes == (
        "30 resamples are too few to tell any of 3 pairs apart at alpha 0.05, at least 60 are needed",
    )


def test_watch_hears_of_every_step():
    heard = []

    build(watch=lambda *step: heard.append(step))

    assert heard == [
        ("noise", 0, 5),
        ("truth", 1, 5),
        ("fair", 2, 5),
        ("differences", 3, 5),
        ("human ceiling", 4, 5),
    ]


def test_rows_are_published_metric_by_metric_before_their_letters():
    published = []

    report = build(publish=published.append)

    assert [[row.metric for row in rows] for rows in published] == [["noise"], ["truth"], ["fair"]]
    assert [replace(row, letters=None, is_above_ceiling=False) for row in report.rows] == [
        row for metric in report.metrics for rows in published for row in rows if row.metric == metric.id
    ]


def test_refuses_no_metrics_and_other_judgments():
    other = replace(DATA, judgments=TABLE.keep(TABLE.item < 50))

    with pytest.raises(CorrelationInputError, match="must have at least one metric, got none"):
        build(data={})
    with pytest.raises(CorrelationInputError, match="must have the same judgments, 'b' and 'a' do not"):
        build(data={"a": DATA, "b": other})


# The table of the paper: SPICE on Flickr8k-Expert is 44.9 in tau-c, and people agree with .736 in tau-b.
def test_flickr8k_expert_has_the_published_numbers(flickr8k_expert):
    report = build(EXPERT, {"spice": flickr8k_expert}, resamples=20, ceilings=["mean-pairwise:kendall-b"])

    assert report.rows[0].value == pytest.approx(0.449, abs=5e-4)
    assert report.ceilings[0].value == pytest.approx(0.736, abs=5e-4)
    assert "\\textit{people, mean-pairwise} &  & $0.736_{" in print_latex(report)

"""A hand-made report: two categories and their mean, a tie, an undefined value, a metric above the ceiling."""

from correlation.protocols.row import ResultRow
from correlation.reports.report import Report
from correlation.reports.values import ReportCeiling, ReportDesign, ReportDifference, ReportMetric

DESIGN = ReportDesign(
    method="percentile",
    clusters=("images", "raters"),
    test="perm-both",
    correction="holm",
    alpha=0.05,
    resamples=1000,
    seed=7,
)
ROWS = (
    ResultRow("spice_u", "item", "kendall-c", None, 0.5125, 0.49, 0.535, 16992, 3, "a", is_above_ceiling=True),
    ResultRow("cider|d", "item", "kendall-c", None, -0.0625, -0.125, -0.00001, 16995, 0, "b"),
    ResultRow("length", "item", "kendall-c", None, None, None, None, 0, 16995, reason="the score is 1 throughout"),
)
CEILINGS = (
    ReportCeiling("mean-pairwise", "item", "kendall-c", None, 0.5, 0.45, 0.55, 16992, 3),
    ReportCeiling("mean-pairwise", "item", "kendall-b", None, 0.736, None, None, 16992, 3),
)
DIFFERENCES = (
    ReportDifference("item", "kendall-c", None, "spice_u", "cider|d", 0.575, None, None, 0.000999, 0.002997, 16990, 5),
)
REPORT = Report(
    title="Flickr8k & friends",
    protocol="flickr8k-expert@1|rows:all",
    metrics=(ReportMetric("spice_u", "spice-u|v:1"), ReportMetric("cider|d", "cider-d|v:1"), ReportMetric("length")),
    rows=ROWS,
    ceilings=CEILINGS,
    differences=DIFFERENCES,
    design=DESIGN,
    notes=("something was not made",),
)


def make_pairs_report() -> Report:
    """Accuracy in two categories and their mean, without intervals, tests or ceilings."""
    values = {"a": (0.5, 0.75, 0.625), "b": (0.5, 0.5, 0.5)}
    return Report(
        title="",
        protocol="pascal-50s@1",
        metrics=(ReportMetric("a"), ReportMetric("b")),
        rows=tuple(
            ResultRow(name, "pair", "accuracy", category, value, None, None, n, 0)
            for name, own in values.items()
            for category, value, n in zip(("HC", "H_M", "mean"), own, (4, 4, 8), strict=True)
        ),
        ceilings=(),
        differences=(),
        design=ReportDesign(None, (), None, "holm", 0.05, 1000, 7),
    )

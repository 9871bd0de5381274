"""Reports: tables for papers from arrays or from the data of a protocol.

>>> from correlation.reports import report_vectors
>>> report = report_vectors({"good": [1, 2, 3, 4], "poor": [2, 1, 4, 3]}, [1, 2, 3, 4], rng=1, resamples=20)
>>> [(row.metric, round(row.value, 3)) for row in report.rows]
[('good', 1.0), ('poor', 0.333)]
"""

from correlation.reports.build import build_report
from correlation.reports.report import Report
from correlation.reports.vectors import report_vectors

__all__ = ["Report", "build_report", "report_vectors"]

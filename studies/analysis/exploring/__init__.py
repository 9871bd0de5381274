"""The correlation explorer: one choice of protocol, raters and slice in, a report and its pictures out."""

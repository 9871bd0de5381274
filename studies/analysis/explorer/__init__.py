"""The correlation explorer: reports and figures for any choice of protocol, raters and slice."""

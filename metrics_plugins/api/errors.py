"""Every error that the contract raises; each message names the metric or plugin, the rule and what came."""


class MetricError(Exception):
    """Base of all errors of the metric contract."""


class UndeclaredInput(MetricError):
    """A metric asked its batch for a column that its `MetricInfo.inputs` does not list."""


class MissingInput(MetricError):
    """A metric declares a column that this batch was made without."""


class UnknownMetric(MetricError):
    """No registered metric has this id."""


class UnknownTokenizer(MetricError):
    """No plugin provides a tokeniser of this name."""


class UnknownEncoder(MetricError):
    """No plugin provides an encoder of this name."""


class MissingResource(MetricError):
    """A metric needs a file or program that is not on this machine; the message says how to get it."""


class PluginError(MetricError):
    """A plugin cannot be used: it fails to import, misspells a hook, or claims an id already taken."""


class BadScores(MetricError):
    """A metric returned scores with wrong keys, shape, type or bounds."""


class CheckFailed(MetricError, AssertionError):
    """A metric breaks a clause of the contract; the message says which, what was expected and what came."""


class FittedOnEvaluation(MetricError):
    """A metric fitted on judgments is about to score the very items it learned from."""

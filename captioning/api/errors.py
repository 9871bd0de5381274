"""The errors of captioners; each message names the captioner, file or record, the rule and the offending value."""


class CaptionerError(Exception):
    """Base class of all errors about captioners, their data and their training."""


class MissingInput(CaptionerError):
    """The images lack a column that a captioner declares."""


class UnknownCaptioner(CaptionerError):
    """No registered captioner has this id."""


class MissingResource(CaptionerError):
    """A captioner needs a file or package that is not installed; the message says how to get it."""


class BadCaptions(CaptionerError):
    """A captioner returned captions or log-probabilities of a wrong number, type or value."""


class BadCheckpoint(CaptionerError):
    """A folder of a trained captioner is damaged, of another version, or belongs to another training."""

"""The errors of the worlds; each message names the file, record or word, the rule and the offending value."""


class WorldError(Exception):
    """Base class of all errors about worlds and captions."""


class BadWorldFile(WorldError):
    """A world model file is invalid."""


class BadCaptionFile(WorldError):
    """A file of captions or labels is invalid."""


class NotGrammatical(WorldError):
    """A caption is not a sentence of the language.

    `position` is the index of the offending word from 0 (the number of words if the caption ends too early), `word` is
    that word (empty at the end), and `expected` are the words that would be allowed there, sorted.
    """

    def __init__(self, message: str, *, position: int, word: str, expected: tuple[str, ...]) -> None:
        super().__init__(message)
        self.position = position
        self.word = word
        self.expected = expected


class NotRealisable(WorldError):
    """A proposition that cannot be expressed in the language, such as nested connectives of clauses."""


class SamplingFailed(WorldError):
    """No world or caption of a specification was found within the allowed number of tries."""


class UnknownSpec(WorldError):
    """No specification has the given name."""


class MissingGrammar(WorldError):
    """The English Resource Grammar, ACE or pydelphin is not installed; the message says how to get it."""

"""Every error of the worlds; each message names the file, record or word, the rule and what came."""


class WorldError(Exception):
    """Base of all errors about worlds and captions."""


class BadWorldFile(WorldError):
    """A world model file breaks a rule of its format."""


class BadCaptionFile(WorldError):
    """A file of captions or labels breaks a rule of its format."""


class NotGrammatical(WorldError):
    """A caption is not a sentence of the language.

    `position` counts words from 0 (the number of words if the caption ends too early), `word` is the word there (empty
    at the end), and `expected` are the words that could have stood there, sorted.
    """

    def __init__(self, message: str, *, position: int, word: str, expected: tuple[str, ...]) -> None:
        super().__init__(message)
        self.position = position
        self.word = word
        self.expected = expected


class NotRealisable(WorldError):
    """A proposition has no sentence in the language, such as a connective inside a connective that takes clauses."""


class SamplingFailed(WorldError):
    """No world or caption of a specification was found within the allowed number of tries."""


class UnknownSpec(WorldError):
    """No specification has this name."""


class MissingGrammar(WorldError):
    """The English Resource Grammar, ACE or pydelphin is not on this machine; the message says how to get it."""

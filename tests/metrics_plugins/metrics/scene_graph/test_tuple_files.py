import gzip
from pathlib import Path

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.scene_graph.tuple_files import TupleFile
from metrics_plugins.readers import InputError

LINES = '{"caption": "a dog", "tuples": [["dog"]]}\n{"caption": "", "tuples": []}\n'


def test_gives_tuples_by_the_tokens_of_a_caption(tmp_path: Path) -> None:
    path = tmp_path / "tuples.jsonl"
    path.write_text(LINES)

    assert TupleFile.open(str(path)).parse(["", "a dog", "a dog"]) == [(), (("dog",),), (("dog",),)]


def test_a_packed_file_is_the_same_source(tmp_path: Path) -> None:
    plain, packed = tmp_path / "tuples.jsonl", tmp_path / "tuples.jsonl.gz"
    plain.write_text(LINES)
    packed.write_bytes(gzip.compress(LINES.encode()))

    assert TupleFile.open(str(plain)).describe() == TupleFile.open(str(packed)).describe()
    assert TupleFile.open(str(packed)).parse(["a dog"]) == [(("dog",),)]


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    path = tmp_path / "tuples.jsonl"
    path.write_bytes('{"caption": "a\u2028dog", "tuples": [["dog"]]}\r\n'.encode())

    assert TupleFile.open(str(path)).parse(["a\u2028dog"]) == [(("dog",),)]


def test_a_caption_without_tuples_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tuples.jsonl"
    path.write_text(LINES)

    with pytest.raises(MetricError, match=r"tuples\.jsonl .* 1 of 2 are missing, such as 'a cat'"):
        TupleFile.open(str(path)).parse(["a dog", "a cat"])


def test_a_last_token_is_found_as_it_is_before_other_captions(tmp_path: Path) -> None:
    path = tmp_path / "tuples.jsonl"
    path.write_text('{"caption": "bus no", "tuples": [["bus"]]}\n{"caption": "vitamin c.", "tuples": [["c"]]}\n')

    assert TupleFile.open(str(path)).parse(["bus no.", "vitamin c", "bus no"]) == [
        (("bus",),),
        (("c",),),
        (("bus",),),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "must be JSON"),
        ('["a dog", []]', "an object with a text 'caption'"),
        ('{"caption": 3, "tuples": []}', "an object with a text 'caption'"),
        ('{"caption": "x"}', "field 'tuples': must be a list of lists of 1 to 3 texts, got null"),
        ('{"caption": "x", "tuples": ["dog"]}', "field 'tuples'"),
        ('{"caption": "x", "tuples": [[]]}', "field 'tuples'"),
        ('{"caption": "x", "tuples": [["a", "b", "c", "d"]]}', "field 'tuples'"),
        ('{"caption": "x", "tuples": [[""]]}', "field 'tuples'"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "tuples.jsonl"
    path.write_text(LINES + line + "\n")

    with pytest.raises(InputError, match=rf"tuples\.jsonl: line 3: .*{message}"):
        TupleFile.open(str(path)).parse(["a dog"])


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tuples.jsonl"
    path.write_text(LINES)
    file = TupleFile.open(str(path))
    path.write_text('{"caption": "a dog", "tuples": []}\n')

    with pytest.raises(InputError, match="its content has changed"):
        file.parse(["a dog"])


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match=r"no\.jsonl: cannot be read"):
        TupleFile.open("no.jsonl")

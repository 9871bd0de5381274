"""Tests of results for a challenge: every entry is checked, and every problem is named."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from metrics_plugins.readers.captions import read_captions
from metrics_plugins.readers.results import N_SHOWN, ResultsError, ResultsProblem, read_results

ONE = {"image_id": 1, "caption": "a cat"}
TWO = {"image_id": 2, "caption": "a dog"}
ID = "field 'image_id': must be a whole number or a text"
CHARACTERS = "field 'caption': must not hold control characters or halves of surrogate pairs"


def _write(entries: Any) -> BytesIO:
    return BytesIO(json.dumps(entries).encode())


def _read_problems(content: Any, **options: Any) -> list[str]:
    stream = BytesIO(content) if isinstance(content, bytes) else _write(content)
    with pytest.raises(ResultsError) as raised:
        read_results(stream, **{"image_ids": [1, 2], **options})
    assert raised.value.count == len(raised.value.problems)
    return [str(problem) for problem in raised.value.problems]


def test_captions_are_in_the_order_of_the_images() -> None:
    results = read_results(_write([TWO, {**ONE, "id": 7}]), image_ids=["1", 2])

    assert list(results.captions.items()) == [("1", ("a cat",)), ("2", ("a dog",))]
    assert (results.n_captions, results.split, results.algorithm) == (2, None, None)


def test_sets_have_their_number_of_captions_for_each_image() -> None:
    again = {**ONE, "caption": "cat"}

    results = read_results(_write([ONE, TWO, again, TWO]), image_ids=[1, 2], captions_per_image=2)

    assert results.captions == {"1": ("a cat", "cat"), "2": ("a dog", "a dog")}
    assert _read_problems([ONE, TWO, again, again, ONE], captions_per_image=2) == [
        "entry 4: field 'image_id': must occur in 2 entries, got 1 as in entry 1",
        "entry 5: field 'image_id': must occur in 2 entries, got 1 as in entry 1",
        "field 'image_id': image 2 must have 2 captions, got 1",
    ]


def test_ids_may_be_numbers_or_text() -> None:
    entries = [{"image_id": "1", "caption": "a"}, {"image_id": 2, "caption": "b"}]

    assert read_results(_write(entries), image_ids=[1, "2"]).captions == {"1": ("a",), "2": ("b",)}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'[{"image_id": 1,\n "caption": "a"', "must be JSON, got Expecting ',' delimiter at line 2, column 16"),
        (b"[" * 100_000, "must be a list of captions, got lists that are nested too deeply"),
        (
            b"[" + b"1" * 5000 + b"]",
            "must be JSON, got Exceeds the limit (4300 digits) for integer string conversion: ",
        ),
        (b'[{"image_id": 1, "caption": "caf\xe9"}]', "must be UTF-8, got byte 0xe9 in line 1 at offset 32"),
        (b"", "must hold captions, got an empty file"),
        (b"[]", "must hold captions, got an empty list"),
        (b'{"annotations": []}', "must be a list of captions, got an object"),
        (b"NaN", "must be a list of captions, got NaN"),
    ],
)
def test_file_that_is_no_list_has_one_problem(content: bytes, problem: str) -> None:
    (came,) = _read_problems(content)

    assert came.startswith(problem)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ('"a"', "must be an object with the fields 'image_id' and 'caption', got 'a'"),
        ("[]", "must be an object with the fields 'image_id' and 'caption', got a list"),
        ("Infinity", "must be an object with the fields 'image_id' and 'caption', got Infinity"),
        ('{"image_id": 2, "caption": "a", "caption": "b"}', "field 'caption': must occur only once, got it twice"),
        (
            '{"image_id": NaN, "caption": "a"}',
            f"{ID} that is not empty, got NaN",
        ),
        ('{"image_id": 2.0, "caption": "a"}', f"{ID} that is not empty, got 2.0"),
        ('{"image_id": true, "caption": "a"}', f"{ID} that is not empty, got True"),
        ('{"image_id": "", "caption": "a"}', f"{ID} that is not empty, got ''"),
        ('{"image_id": null, "caption": "a"}', f"{ID} that is not empty, got null"),
        ('{"image_id": {}, "caption": "a"}', f"{ID} that is not empty, got an object"),
        ('{"image_id": 3, "caption": "a"}', "field 'image_id': must be the id of one of the 2 images, got 3"),
        (
            '{"image_id": "\\ud800", "caption": "a"}',
            "field 'image_id': must be the id of one of the 2 images, got '\\ud",
        ),
        ('{"image_id": 1, "caption": "a"}', "field 'image_id': must occur in 1 entry, got 1 as in entry 1"),
        ('{"caption": "a"}', "field 'image_id': is missing"),
    ],
)
def test_entry_without_an_image_leaves_that_image_without_a_caption(entry: str, problem: str) -> None:
    first, last = _read_problems(f"[{json.dumps(ONE)}, {entry}]".encode())

    assert first.startswith(f"entry 2: {problem}")
    assert last == "field 'image_id': image 2 must have 1 caption, got none"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ("", "field 'caption': is missing"),
        (', "caption": null', "field 'caption': must be text, got null"),
        (', "caption": ["a"]', "field 'caption': must be text, got a list"),
        (', "caption": -Infinity', "field 'caption': must be text, got -Infinity"),
        (', "caption": " \\u00a0\\n"', "field 'caption': must not be empty, got ' \\xa0\\n'"),
        (', "caption": "12345678901"', "field 'caption': must have at most 10 characters, got 11"),
        (
            ', "caption": "a\\ud800"',
            f"{CHARACTERS}, got '\\ud800' at character 2",
        ),
        (', "caption": "a\\u0000"', f"{CHARACTERS}, got '\\x00' at character 2"),
        (
            ', "caption": "a", "extra": {"a": 1}',
            "field 'extra': must be text, a number, true, false or null, got an ob",
        ),
        (', "caption": "a", "extra": NaN', "field 'extra': must be text, a number, true, false or null, got NaN"),
    ],
)
def test_faulty_entry_has_one_problem(fields: str, problem: str) -> None:
    (came,) = _read_problems(f'[{json.dumps(ONE)}, {{"image_id": 2{fields}}}]'.encode(), max_characters=10)

    assert came.startswith(f"entry 2: {problem}")


def test_letters_marks_and_lines_of_any_language_are_kept() -> None:
    caption = "ein K\u00e4tzchen\n\U0001f431\u200d\U0001f5a4\t\u732b \u0645\u200c\u0648"

    results = read_results(_write([{"image_id": 1, "caption": caption}]), image_ids=[1])

    assert results.captions == {"1": (caption,)}


def test_all_problems_are_counted_and_the_first_are_described() -> None:
    entries = [{"image_id": number, "caption": ""} for number in range(120)]

    with pytest.raises(ResultsError) as raised:
        read_results(_write(entries), image_ids=range(130))

    first = ResultsProblem(entry=1, field="caption", rule="must not be empty", came="''")
    assert raised.value.problems[0] == first
    assert (len(raised.value.problems), raised.value.count) == (N_SHOWN, 130)
    assert str(raised.value) == "entry 1: field 'caption': must not be empty, got '' (and 129 more)"


@pytest.mark.parametrize("options", [{"image_ids": []}, {"image_ids": [1], "captions_per_image": 0}])
def test_results_without_images_or_captions_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="needs images and captions"):
        read_results(_write([ONE]), **options)


def test_published_results_are_complete(data_folder: Path, tmp_path: Path) -> None:
    # Count from shared/data/coco/README.md; 131 of the captions are empty.
    published = read_captions(data_folder / "coco/captions_val2014_googlstm_results.json.gz").records
    path = tmp_path / "captions_val2014_googlstm_results.json"
    path.write_text(json.dumps([{"image_id": int(row.image_id), "caption": row.caption} for row in published]))

    image_ids = [row.image_id for row in published]
    results = read_results(path, image_ids=image_ids, allow_empty=True)

    assert (len(results.captions), results.split, results.algorithm) == (40_504, "val2014", "googlstm")
    assert results.captions == {row.image_id: (row.caption,) for row in published}
    with pytest.raises(ResultsError) as raised:
        read_results(path, image_ids=image_ids)
    assert (raised.value.count, str(raised.value.problems[0])) == (
        131,
        "entry 225: field 'caption': must not be empty, got ''",
    )

"""Tests of tables of judged captions."""

from pathlib import Path

import pytest

from metrics_plugins.readers import InputError, read_judgments


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("j.csv", 'image_id,rater,caption,judgment\n7,x,"a dog, wet",4\n7,y,"a dog, wet",1.5\n8,x,a cat,2\n'),
        (
            "j.jsonl",
            '{"image_id": 7, "caption": "a dog, wet", "judgment": 4}\n\n'
            '{"image_id": "7", "caption": "a dog, wet", "judgment": 1.5}\n'
            '{"image_id": 8, "caption": "a cat", "judgment": 2}\n',
        ),
    ],
)
def test_judgments_of_a_caption_are_averaged(name: str, text: str, tmp_path: Path) -> None:
    judged = read_judgments(write(tmp_path / name, text))

    rows = judged.make_rows({"7": ["a wet dog"], "8": ["the cat"], "9": ["no one"]})

    assert (rows.batch.keys, rows.targets.tolist()) == (("7", "8"), [2.75, 2.0])
    assert list(rows.batch.candidates) == ["a dog, wet", "a cat"]
    assert list(rows.batch.references) == [("a wet dog",), ("the cat",)]
    assert judged.make_rows({"7": ["a"]}, without={"8"}).batch.keys == ("7",)
    with pytest.raises(InputError, match=r"image 8 \(caption 'a cat'\) has no references"):
        judged.make_rows({"7": ["a"]})
    with pytest.raises(InputError, match="no judged caption is left of 2"):
        judged.make_rows({}, without={"7", "8"})


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("j.csv", "image_id,caption\n7,a\n", "it lacks judgment"),
        (
            "j.csv",
            "image_id,caption,judgment\n7,a,good\n",
            r"line 2: field 'judgment': must be a finite number, got 'good'",
        ),
        ("j.csv", "image_id,caption,judgment\n7,a,nan\n", "line 2: field 'judgment': must be a finite number"),
        ("j.csv", "image_id,caption,judgment\n7,a\n", "line 2: must have as many fields as the header"),
        ("j.csv", 'image_id,caption,judgment\n7,"a\n', "must be CSV, got"),
        ("j.csv", "image_id,caption,judgment\n", "must hold judgments, got none"),
        ("j.jsonl", '{"image_id": 7, "caption": "a", "judgment": true}\n', "must be a finite number, got True"),
        ("j.jsonl", '{"image_id": 7, "judgment": 1}\n', "line 1: field 'caption' is missing"),
        ("j.jsonl", "[\n", "line 1: must be a JSON object"),
        ("j.txt", "7 a 1\n", r"the name must end in \.csv or \.jsonl"),
    ],
)
def test_files_that_break_a_rule(name: str, text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_judgments(write(tmp_path / name, text))

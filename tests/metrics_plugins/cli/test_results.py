"""Tests of `check-results`: its exit codes, its output, and rules given by a server."""

import json
from pathlib import Path

import pytest

from tests.metrics_plugins.cli.answering import answer_with
from tests.metrics_plugins.cli.running import run_command, write_captions

PHASE = {"image_ids": ["1", "2"], "captions_per_image": 1, "max_characters": 5, "allow_empty": False}


def test_valid_results_end_with_0(tmp_path: Path) -> None:
    write_captions(tmp_path / "captions_val_mine_results.json", (1, "a"), (2, "b"))
    (tmp_path / "images.txt").write_text("1\n2\n")
    arguments = ("check-results", "captions_val_mine_results.json", "--images", "images.txt")

    plain, as_json = run_command(*arguments, folder=tmp_path), run_command(*arguments, "--json", folder=tmp_path)

    assert (plain.returncode, plain.stdout, plain.stderr) == (0, "valid: 2 captions of 2 images\n", "")
    assert (as_json.returncode, json.loads(as_json.stdout)) == (
        0,
        {"valid": True, "images": 2, "captions": 2, "split": "val", "algorithm": "mine"},
    )


def test_invalid_results_end_with_1_and_all_problems(tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "a"), (1, ""))
    (tmp_path / "images.json").write_text(json.dumps({"images": [{"id": 1}, {"id": 2}]}))
    arguments = ("check-results", "c.json", "--images", "images.json")

    plain, as_json = run_command(*arguments, folder=tmp_path), run_command(*arguments, "--json", folder=tmp_path)

    assert (plain.returncode, plain.stderr) == (1, "")
    assert plain.stdout.splitlines() == [
        "entry 2: field 'image_id': must occur in 1 entry, got 1 as in entry 1",
        "entry 2: field 'caption': must not be empty, got ''",
        "field 'image_id': image 2 must have 1 caption, got none",
        "invalid: 3 problems",
    ]
    answer = json.loads(as_json.stdout)
    assert (as_json.returncode, answer["valid"], answer["count"]) == (1, False, 3)
    assert answer["problems"][1] == {"entry": 2, "field": "caption", "rule": "must not be empty", "came": "''"}


def test_rules_are_set_by_options(tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "abc"), (1, ""))
    (tmp_path / "images.txt").write_text("1\n")
    rules = ("--captions", "2", "--max-characters", "3", "--allow-empty")

    result = run_command("check-results", "c.json", "--images", "images.txt", *rules, folder=tmp_path)

    assert (result.returncode, result.stdout) == (0, "valid: 2 captions of 1 images\n")


def test_rules_are_fetched_from_a_challenge(tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "abc"), (2, "abcdef"))

    with answer_with(json.dumps(PHASE).encode()) as server:
        result = run_command(
            "check-results", "c.json", "--challenge", server.address, folder=tmp_path, ACCORDANCE_TOKEN="secret"
        )

    assert (result.returncode, result.stderr) == (1, "")
    assert result.stdout.splitlines()[0] == "entry 2: field 'caption': must have at most 5 characters, got 6"
    assert server.tokens == ["Bearer secret"]


def test_token_is_not_sent_to_where_an_address_redirects(tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "a"), (2, "b"))

    with (
        answer_with(json.dumps(PHASE).encode()) as target,
        answer_with(b"", status=302, location=target.address) as server,
    ):
        result = run_command(
            "check-results", "c.json", "--challenge", server.address, folder=tmp_path, ACCORDANCE_TOKEN="secret"
        )

    assert (result.returncode, server.tokens, target.tokens) == (0, ["Bearer secret"], [None])


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        (b"", 404, "answers 404 Not Found (is the token in ACCORDANCE_TOKEN right?)"),
        (b"", 500, "answers 500 Internal Server Error"),
        (b"<html>", 200, "must answer with JSON; is it the API's address of a phase?"),
        (b"[1]", 200, "must answer with a phase's 'image_ids', got [1]"),
        (b'{"image_ids": []}', 200, "must answer with a phase's 'image_ids', got {'image_ids': []}"),
        (
            b'{"image_ids": [1], "max_characters": "9"}',
            200,
            ": 'max_characters' must be a whole number from 1, got '9'",
        ),
    ],
)
def test_other_answers_end_with_2(content: bytes, status: int, message: str, tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "a"))

    with answer_with(content, status=status) as server:
        result = run_command("check-results", "c.json", "--challenge", server.address, folder=tmp_path)

    separator = "" if message.startswith(":") else " "
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"error: --challenge {server.address}{separator}{message}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--challenge", "file:///etc/passwd"],
            "--challenge must be an address that begins with https://, got file:///",
        ),
        (["--challenge", "http://127.0.0.1:1/"], "--challenge http://127.0.0.1:1/ cannot be reached: "),
        (
            ["--challenge", "http://h/", "--captions", "2"],
            "--captions cannot be combined with --challenge, which states",
        ),
        (["--images", "none.txt"], "none.txt: cannot be read: No such file or directory"),
        (["--images", "twice.txt"], "twice.txt: an id must occur in one line only, got '1' again"),
        (["--images", "c.json"], "c.json: must be an object with a list of 'images', got [{"),
        (["--images", "none.json"], "none.json: must hold images, got none"),
    ],
)
def test_wrong_arguments_end_with_2(arguments: list[str], message: str, tmp_path: Path) -> None:
    write_captions(tmp_path / "c.json", (1, "a"))
    (tmp_path / "twice.txt").write_text("1\n2\n1\n")
    (tmp_path / "none.json").write_text('{"images": []}')

    result = run_command("check-results", "c.json", *arguments, folder=tmp_path)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {message}")

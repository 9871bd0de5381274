"""Tests of the API that need a server: what a program fetches, and a connection that is cut."""

import socket

import pytest

from metrics_plugins.cli.challenge_rules import fetch_rules
from metrics_plugins.readers.results import read_results
from tests.challenges.api.programs import make_program
from tests.challenges.challenges import write_results
from tests.challenges.people import make_arena

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = "/api/v1/challenges/captions/"


def test_the_rules_of_a_phase_are_those_that_the_command_checks(live_server, tmp_path):
    make_arena(is_scored=False)
    rules = fetch_rules(f"{live_server.url}{ROOT}phases/test/")

    assert rules.image_ids == ("10", "11", "12", "13")
    assert (rules.captions_per_image, rules.allow_empty) == (1, True)
    (tmp_path / "x.json").write_bytes(write_results())
    assert read_results(tmp_path / "x.json", image_ids=rules.image_ids).n_captions == 4


def test_what_arrives_before_the_connection_is_cut_is_kept(live_server):
    arena, content = make_arena(is_scored=False), write_results()
    program = make_program(arena.team)
    given = {"name": "captions_val_mine_results.json", "n_bytes": len(content)}
    begun = program.post(f"{ROOT}phases/test/uploads/", given, content_type="application/json").json()
    address = f"{ROOT}submissions/{begun['submission']}/"
    headers = {
        "Host": "localhost",
        "Authorization": program.defaults["HTTP_AUTHORIZATION"],
        "Content-Type": "application/octet-stream",
        "Content-Length": "50",
        "Upload-Offset": "0",
        "Connection": "close",
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())

    with socket.create_connection((live_server.thread.host, live_server.thread.port), timeout=60) as connection:
        connection.sendall(f"PATCH {address} HTTP/1.1\r\n{lines}\r\n".encode() + content[:20])
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    assert answer.split()[1] == "400"
    assert "ended 30 bytes before its declared length" in answer
    assert program.get(address).json()["n_received"] == 20

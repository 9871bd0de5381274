"""Tests of downloading keys: an invalid response does not replace the existing keys."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.core.management import CommandError, call_command

KEYS = json.dumps({"keys": [{"kty": "RSA", "kid": "k1", "alg": "RS256", "n": "w" * 342, "e": "AQAB"}]})


@pytest.fixture
def publish():
    """Serve a text on loopback and return its address."""
    servers = []

    def serve(text):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *args):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_keys_are_kept_where_arrivals_look_for_them(publish, settings, tmp_path, capsys) -> None:
    settings.ACCORDANCE_PROLIFIC_KEYS = str(tmp_path / "folder" / "keys.json")

    call_command("fetch_prolific_keys", url=publish(KEYS))

    assert (tmp_path / "folder" / "keys.json").read_text() == KEYS
    assert capsys.readouterr().out.startswith("1 keys in ")


def test_what_is_no_set_of_keys_leaves_the_old_ones(publish, settings, tmp_path) -> None:
    path = tmp_path / "keys.json"
    path.write_text("old")
    settings.ACCORDANCE_PROLIFIC_KEYS = str(path)

    for url in (publish('{"keys": []}'), "http://127.0.0.1:9/"):
        with pytest.raises(CommandError, match="the existing keys are kept"):
            call_command("fetch_prolific_keys", url=url)
    with pytest.raises(CommandError, match="must begin with https"):
        call_command("fetch_prolific_keys", url="http://elsewhere.example/")

    assert path.read_text() == "old"


def test_file_that_cannot_be_written_is_named(publish, settings, tmp_path) -> None:
    (tmp_path / "keys.json").mkdir()
    settings.ACCORDANCE_PROLIFIC_KEYS = str(tmp_path / "keys.json")

    with pytest.raises(CommandError, match=r"keys\.json cannot be written: Is a directory"):
        call_command("fetch_prolific_keys", url=publish(KEYS))
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"]

"""Tests of the files in `deploy/`: the nginx site with TLS in front of a real server, and the systemd units."""

import http.client
import re
import ssl
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from email.message import Message
from http.cookiejar import CookieJar
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.parts import require_program
from tests.postgres import find_free_port
from tests.studies.management.commands.processes import make_environment, start

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
UNITS = sorted(path.name for path in DEPLOY.iterdir() if path.suffix in (".service", ".socket", ".timer"))
NGINX = """daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  include {folder}/site.conf;
}}
"""


def read_settings(name: str = "accordance.env") -> dict[str, str]:
    lines = (DEPLOY / name).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def write_site(folder: Path, *, plain: int, safe: int, server: int) -> None:
    """Write the sample with ports and a certificate of its own; nothing else of it is changed."""
    certificate = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=study.example.org"]
    where = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run([require_program("openssl"), "req", *certificate, *where], check=True, capture_output=True)
    site = (DEPLOY / "nginx.conf").read_text()
    for before, after in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen [::]:80;", ""),
        ("listen 443 ssl;", f"listen 127.0.0.1:{safe} ssl;"),
        ("listen [::]:443 ssl;", ""),
        ("http://127.0.0.1:8000", f"http://127.0.0.1:{server}"),
        ("/var/log/nginx/", f"{folder}/"),
        ("/etc/letsencrypt/live/study.example.org/fullchain.pem", str(folder / "cert.pem")),
        ("/etc/letsencrypt/live/study.example.org/privkey.pem", str(folder / "key.pem")),
    ):
        assert before in site
        site = site.replace(before, after)
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder))


def put_servers_behind(folder: Path, first: str, second: str) -> None:
    """Change a site for one server, at port 8000, to two, as docs/deploy.md says; only their addresses are others."""
    site = (folder / "site.conf").read_text()
    assert site.count("http://127.0.0.1:8000") == 2
    servers = (DEPLOY / "nginx-servers.conf").read_text()
    for before, after in (("10.0.0.11:8000", first), ("10.0.0.12:8000", second)):
        assert servers.count(f"server {before} ") == 1
        servers = servers.replace(f"server {before} ", f"server {after} ")
    (folder / "site.conf").write_text(servers + site.replace("http://127.0.0.1:8000", "http://accordance"))


class Answer(NamedTuple):
    status: int
    headers: Message
    content: str


class Visitor:
    """A browser that believes the certificate and finds study.example.org on this machine."""

    def __init__(self, port: int) -> None:
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        self.cookies, self.port = CookieJar(), port
        handlers = [urllib.request.HTTPSHandler(context=trusting), urllib.request.HTTPCookieProcessor(self.cookies)]
        self.opener = urllib.request.build_opener(*handlers)

    def ask(self, path: str, data: dict[str, str] | bytes | None = None) -> Answer:
        body = urllib.parse.urlencode(data).encode() if isinstance(data, dict) else data
        request = urllib.request.Request(f"https://127.0.0.1:{self.port}{path}", data=body)
        request.add_header("Host", "study.example.org")
        request.add_header("Referer", "https://study.example.org/login/")
        request.add_header("Origin", "https://study.example.org")
        try:
            with self.opener.open(request, timeout=60) as answer:
                return Answer(answer.status, answer.headers, answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read().decode())


class Site(NamedTuple):
    visitor: Visitor
    plain: int
    folder: Path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """nginx with the sample before a server with the sample's settings; the port without TLS; and where it logs."""
    folder = tmp_path_factory.mktemp("site")
    nginx = require_program("nginx")
    plain, safe, server = find_free_port(), find_free_port(), find_free_port()
    write_site(folder, plain=plain, safe=safe, server=server)
    own = make_environment(folder / "var", HOME=str(folder))
    (folder / "var").mkdir()
    arguments = ["--host", "127.0.0.1", "--port", str(server), "--workers", "3", "--background", "0"]
    assert f"serve {' '.join(arguments)}".replace(str(server), "8000") in (DEPLOY / "accordance.service").read_text()
    with start("serve", *arguments, environment={**read_settings(), **own}) as process:
        front = subprocess.Popen([nginx, "-c", str(folder / "nginx.conf"), "-p", str(folder)])
        try:
            wait_for(safe)
            yield Site(Visitor(safe), plain, folder)
        finally:
            front.terminate()
            front.wait(timeout=10)
            process.terminate()


def wait_for(port: int) -> None:
    """Wait until nginx has the server's answer."""
    deadline = time.monotonic() + 120
    while not is_served(port):
        assert time.monotonic() < deadline
        time.sleep(0.2)


def is_served(port: int) -> bool:
    try:
        return Visitor(port).ask("/login/").status == 200
    except urllib.error.URLError:  # nginx does not listen yet
        return False


@pytest.mark.slow
def test_site_of_nginx_serves_with_tls(site: Site) -> None:
    visitor, plain, _ = site

    page = visitor.ask("/login/")
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content)
    refused = visitor.ask("/login/", {"csrfmiddlewaretoken": token, "username": "nobody", "password": "wrong"})
    too_much = visitor.ask("/studies/new/", b"x" * (261 * 1024 * 1024))

    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert {(cookie.name, cookie.secure) for cookie in visitor.cookies} == {("csrftoken", True)}
    # The form got through: the name was refused, and not the origin of the form.
    assert (refused.status, "Please enter a correct username and password" in refused.content) == (200, True)
    assert too_much.status == 413
    # Without TLS it sends to the real name, which is on no machine here.
    connection = http.client.HTTPConnection("127.0.0.1", plain, timeout=10)
    connection.request("GET", "/login/?next=/", headers={"Host": "study.example.org"})
    sent = connection.getresponse()
    connection.close()
    assert (sent.status, sent.headers["Location"]) == (301, "https://study.example.org/login/?next=/")


@pytest.mark.parametrize("name", UNITS)
def test_unit_is_taken_by_systemd(name: str, tmp_path) -> None:
    verify = require_program("systemd-analyze")
    python = tmp_path / "srv" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    for unit in UNITS:
        text = (DEPLOY / unit).read_text().replace("/srv/accordance", str(tmp_path / "srv"))
        (tmp_path / unit).write_text(text)

    done = subprocess.run([verify, "verify", str(tmp_path / name)], capture_output=True, text=True, check=False)

    said = [line for line in done.stderr.splitlines() if "accordance" in line]
    assert (done.returncode, said) == (0, [])


def test_every_file_is_told_of() -> None:
    assert [name for name in sorted(path.name for path in DEPLOY.iterdir()) if name not in PAGE] == []


def test_settings_of_the_sample_are_settings() -> None:
    operations = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")

    named = [*read_settings(), *read_settings("accordance-shared.env")]
    assert [name for name in named if f"`{name}`" not in operations] == []


def test_nginx_takes_the_site_with_two_servers(tmp_path) -> None:
    write_site(tmp_path, plain=find_free_port(), safe=find_free_port(), server=8000)
    put_servers_behind(tmp_path, "10.0.0.11:8000", "10.0.0.12:8000")

    command = [require_program("nginx"), "-t", "-c", str(tmp_path / "nginx.conf"), "-p", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


def test_every_command_is_one() -> None:
    commands = {
        path.stem
        for app in ("studies", "annotation_ui")
        for path in (ROOT / app / "management" / "commands").glob("*.py")
    } | {"createsuperuser", "migrate", "check"}

    named = re.findall(r"manage\.py ([a-z_]+)", PAGE)
    assert named
    assert [name for name in named if name not in commands] == []


@pytest.mark.slow
def test_logs_of_nginx_name_nobody(site: Site) -> None:
    visitor, plain, folder = site
    person = "PROLIFIC_PID=5f00000000000000000000aa"
    connection = http.client.HTTPConnection("127.0.0.1", plain, timeout=10)
    connection.request("GET", f"/r/a-token/?{person}", headers={"Host": "study.example.org"})
    sent_on = connection.getresponse().status
    connection.close()
    statuses = [sent_on, visitor.ask(f"/r/a-token/resume/signed/?{person}").status]
    statuses += [
        visitor.ask(f"/login/?{person}").status,
        visitor.ask(f"/studies/new/?{person}", b"x" * (261 << 20)).status,
    ]

    logs = {path.name: path.read_text() for path in folder.glob("*.log")}

    assert statuses == [301, 404, 200, 413]
    assert re.search(r"^\S+ GET 200 \d+ bytes [\d.]+ s$", logs["accordance.log"], re.MULTILINE)
    found = {name for name, text in logs.items() for secret in (person, "a-token", "127.0.0.1") if secret in text}
    assert found == set()

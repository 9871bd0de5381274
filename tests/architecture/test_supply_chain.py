"""Tests of installation by hashes, the list of components, and the audit of dependencies."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
HASHED = ROOT / "requirements-server.txt"
_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)", re.MULTILINE)
_LOCK = "run `make lock`"


def read_pins(text: str) -> dict[str, str]:
    return {canonicalize_name(found["name"]): found["version"] for found in _PIN.finditer(text)}


@pytest.fixture(scope="module")
def pins() -> dict[str, str]:
    return read_pins(HASHED.read_text())


def list_needed() -> set[str]:
    """Return what Accordance needs without extras, and what that needs here, by the metadata of what is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found: set[tuple[str, str]] = set()
    waiting = [Requirement(line) for line in project["dependencies"]]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        new = {(name, extra) for extra in ("", *wanted.extras)} - found
        found |= new
        if new:
            inner = [Requirement(line) for line in requires(name) or ()]
            extras = ["", *wanted.extras]
            waiting += [
                one for one in inner if not one.marker or any(one.marker.evaluate({"extra": each}) for each in extras)
            ]
    return {name for name, _ in found}


def test_pins_are_those_of_the_constraints(pins) -> None:
    tested = read_pins((ROOT / "constraints.txt").read_text())

    assert {name: version for name, version in pins.items() if tested.get(name) != version} == {}, _LOCK


def test_everything_that_a_server_needs_is_pinned_and_nothing_for_tests(pins) -> None:
    assert list_needed() - set(pins) == set(), _LOCK
    assert {"torch", "pytest", "ruff"} & set(pins) == set()


def test_every_pin_has_hashes() -> None:
    entries = re.split(r"\n(?=[A-Za-z0-9])", HASHED.read_text().partition("\n\n")[0])
    names = [entry for entry in entries if not entry.startswith("#")]

    assert len(names) > 30
    assert [entry.splitlines()[0] for entry in names if not re.search(r"--hash=sha256:[0-9a-f]{64}", entry)] == []


def test_what_builds_accordance_is_pinned(pins) -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]

    assert [line for line in build if Requirement(line).name not in pins] == []
    assert set(build) <= set((ROOT / "deploy" / "build.in").read_text().splitlines())


@pytest.mark.slow
def test_the_list_of_components_names_every_package_with_its_hashes(tmp_path, pins) -> None:
    program = [str(Path(sys.executable).parent / "cyclonedx-py"), "requirements", str(HASHED)]
    options = ["--pyproject", str(ROOT / "pyproject.toml"), "--mc-type", "application", "--output-reproducible"]
    subprocess.run([*program, *options, "--output-file", str(tmp_path / "sbom.json")], check=True, capture_output=True)

    listed = json.loads((tmp_path / "sbom.json").read_text())

    assert (listed["bomFormat"], listed["metadata"]["component"]["name"]) == ("CycloneDX", "accordance")
    assert {canonicalize_name(each["name"]): each["version"] for each in listed["components"]} == pins
    assert all(each["externalReferences"][0]["hashes"] for each in listed["components"])


@pytest.fixture(scope="module")
def audit():
    spec = importlib.util.spec_from_file_location("audit", ROOT / ".ci" / "audit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_audit_without_the_database_says_so(tmp_path) -> None:
    wanted = tmp_path / "requirements.txt"
    wanted.write_text(f"pluggy==1.5.0 --hash=sha256:{'0' * 64}\n")
    nowhere = dict.fromkeys(("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"), "http://127.0.0.1:9")

    done = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "audit.py"), str(wanted)],
        env={**os.environ, **nowhere, "XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (75, "")
    assert done.stderr.startswith("NOT AUDITED: the advisory database cannot be reached: ")


@pytest.mark.parametrize(
    ("found", "status", "said"),
    [
        (
            [{"name": "a", "version": "1", "vulns": []}],
            0,
            "1 packages were looked up; nothing is known of any of them.",
        ),
        ([], 75, "NOT AUDITED: the advisory database has no answer for 0 of 0 packages"),
        (
            [{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "not found: b (2)"}],
            75,
            "NOT AUDITED: the advisory database has no answer for 1 of 2 packages, the first: not found: b (2)",
        ),
        (
            [
                {"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]},
                {"name": "b", "skip_reason": "not found: b (2)"},
            ],
            1,
            "a 1: PYSEC-1, fixed in 1.1",
        ),
    ],
)
def test_an_incomplete_audit_does_not_pass(audit, capsys, found, status, said) -> None:
    assert audit.judge(found) == status
    assert said in "".join(capsys.readouterr())

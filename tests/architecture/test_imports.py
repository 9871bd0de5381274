"""Tests of the layers in docs/architecture.md, of the tool that checks them, and of light imports at start-up."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
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
    ],
)
def test_planted_violation_breaks_a_contract(module: str, line: str, contract: str, tmp_path: Path) -> None:
    for package in (
        "accordance",
        "config",
        "annotation_ui",
        "challenges",
        "studies",
        "jobs",
        "captioning",
        "metrics_plugins",
        "correlation",
        "execution",
    ):
        _copy_sources(ROOT / package, tmp_path / package)
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    (tmp_path / module).write_text(line + "\n")

    result = _lint_imports(tmp_path)

    assert result.returncode != 0
    assert [row for row in result.stdout.splitlines() if row.startswith(contract) and row.endswith("BROKEN")]


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

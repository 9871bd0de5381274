"""Tests of the notebook in docs/api.md, which is run cell by cell against a real server with a worker."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.postgres import find_free_port
from tests.studies.management.commands.processes import make_environment, start
from tests.studies.management.commands.test_serve import fetch

ROOT = Path(__file__).resolve().parents[2]
SHOW = """
print(made.json()["role"] if "role" in made.json() else made.json()["token"]["role"])
for row in table.itertuples():
    print(row.metric, row.coefficient, row.value is None or round(row.value, 6), row.n)
print(report["number"], sorted(report["files"]))
"""


def read_code() -> str:
    notebook = json.loads((ROOT / "docs/api.ipynb").read_text())
    return "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")


@pytest.mark.slow
def test_notebook_imports_scores_and_correlates(tmp_path):
    port, environment = find_free_port(), make_environment(tmp_path)
    person = {"DJANGO_SUPERUSER_PASSWORD": "a long password", "DJANGO_SUPERUSER_EMAIL": "anna@example.org"}
    options = ("--port", str(port), "--workers", "1", "--background", "1")
    with start("serve", *options, environment=environment) as server:
        fetch(f"http://127.0.0.1:{port}/login/", within=120)
        make = [sys.executable, "manage.py", "createsuperuser", "--noinput", "--username", "anna"]
        subprocess.run(make, cwd=ROOT, env={**environment, **person}, check=True, capture_output=True)
        known = {
            "ACCORDANCE_URL": f"http://127.0.0.1:{port}",
            "ACCORDANCE_USER": "anna",
            "ACCORDANCE_PASSWORD": person["DJANGO_SUPERUSER_PASSWORD"],
        }
        done = subprocess.run(
            [sys.executable, "-c", read_code() + SHOW],
            cwd=tmp_path,
            env={**environment, **known},
            capture_output=True,
            text=True,
            check=False,
        )
        server.terminate()

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    # Of 28 pairs of images 3 are tied in their mean judgments, none in length, and none is out of order:
    # tau-b is 25 / sqrt(25 * 28).
    assert lines[-4:-2] == ["analyst", "length kendall-b 0.944911 8"]
    assert lines[-2].startswith("rouge-l kendall-b ")
    assert lines[-1] == "1 ['csv', 'json', 'md', 'pdf', 'png', 'svg', 'tex']"

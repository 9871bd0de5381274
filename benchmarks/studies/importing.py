"""Measures the time to import the results of a whole COCO split: 40,504 captions with 202,654 references.

    ACCORDANCE_DATA=../shared/data python -m benchmarks.studies.importing

It uses a new SQLite file (or an empty database given by DATABASE_URL), and reports wall and CPU seconds.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = "coco/captions_val2014_googlstm_results.json.gz"
ANNOTATIONS = "spice/spice-1.0.jar!coco/annotations/captions_val2014.json"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {"DATABASE_URL": f"sqlite:///{folder}/db.sqlite3", "ACCORDANCE_VAR": folder, **os.environ}
        command = [sys.executable, "-m", "benchmarks.studies.importing", "--inside"]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found = json.loads(done.stdout.splitlines()[-1])
    print(f"{found['wrote']}\n{found['seconds']:.1f} s, {found['cpu']:.1f} s of processor")


def measure() -> dict[str, object]:
    """Import into the database of the environment; return the numbers of records and the times."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from studies.datasets.importing.formats import import_data
    from studies.datasets.importing.options import ImportOptions

    call_command("migrate", verbosity=0)
    data = Path(os.environ.get("ACCORDANCE_DATA", ROOT / "../shared/data")).resolve()
    spec = find_spec("pycocoevalcap")
    package = Path(next(iter(spec.submodule_search_locations)))
    options = ImportOptions(data / RESULTS, annotations=str(package / ANNOTATIONS))
    started, worked = time.perf_counter(), time.process_time()
    wrote = import_data("coco", options=options, now=timezone.now())
    return {
        "wrote": str(wrote),
        "seconds": time.perf_counter() - started,
        "cpu": time.process_time() - worked,
    }


if __name__ == "__main__":
    if "--inside" in sys.argv:
        print(json.dumps(measure()))
    else:
        main()

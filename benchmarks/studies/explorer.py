"""Times the correlation explorer's page: `python -m benchmarks.studies.explorer`.

Flickr8k-Expert with ten n-gram metrics is imported and scored in a new database; then the page is requested with one
new coefficient after the other, through Django's whole stack but without a network. It prints milliseconds of wall time
and of CPU time; on a busy machine, CPU time is the better measure of the server's work.

The exit status is 1 if the median response to a change of coefficient takes `BOUND` milliseconds of CPU time or more.
"""

import os
import sys
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("ACCORDANCE_DATA", ROOT.parent / "shared" / "data"))
METRICS = "bleu-1,bleu-2,bleu-3,bleu-4,cider,cider-d,rouge-1,rouge-2,rouge-l,length"
BOUND = 300
QUERIES = (
    *(f"coefficient={name}" for name in ("pearson", "spearman", "kendall-a", "kendall-b", "kendall-wmt")),
    *(f"level=group&coefficient={name}" for name in ("pearson", "spearman", "kendall-b", "kendall-c")),
    *(f"aggregation={name}" for name in ("mean", "median", "z-mean", "majority", "dawid-skene", "mace")),
    "words_from=5&words_to=9",
    "object=dog",
)


def main() -> int:
    """Print a row for each change, and whether the bound is met."""
    with TemporaryDirectory() as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "ACCORDANCE_VAR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "ALLOWED_HOSTS": "testserver",
            # For a page, more threads cost more time in synchronisation than they save.
            "OPENBLAS_NUM_THREADS": "1",
        }
        ask = _prepare()
        first, again = ask(""), ask("")
        _print_row("first page", first)
        _print_row("the same again", again)
        taken = {query: ask(query) for query in QUERIES}
        for query, milliseconds in taken.items():
            _print_row(query, milliseconds)
    typical = median(processor for query, (_, processor) in taken.items() if "coefficient" in query)
    print(f"median change of coefficient: {typical:.0f} ms of processor time, to stay below {BOUND}")
    return int(typical >= BOUND)


def _prepare() -> Callable[[str], tuple[float, float]]:
    """Import, score and log in; return a function that requests a page and returns its wall and CPU milliseconds."""
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.test import Client

    call_command("migrate", verbosity=0)
    owner = User.objects.create_user("owner")
    call_command("import_data", "flickr8k-expert", "--from", str(DATA / "flickr8k"), "--owner", "owner")
    call_command("score", "flickr8k-expert", metrics=METRICS, stdout=StringIO())
    client = Client()
    client.force_login(owner)

    def ask(query: str) -> tuple[float, float]:
        wall, processor = time.perf_counter(), time.process_time()
        response = client.get(f"/studies/flickr8k-expert/explore/?{query}")
        taken = 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - processor)
        if response.status_code != 200:
            raise RuntimeError(f"{query}: {response.status_code}")
        return taken

    return ask


def _print_row(what: str, milliseconds: tuple[float, float]) -> None:
    wall, processor = milliseconds
    print(f"{what:<40} {wall:8.0f} ms wall {processor:8.0f} ms processor")


if __name__ == "__main__":
    sys.exit(main())

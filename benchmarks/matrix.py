"""Computes the benchmark matrix of docs/benchmark-matrix.md: `python -m benchmarks.matrix [--folder FOLDER]`.

Published judgments are imported into a database of their own, scored, and correlated under their protocols, with
intervals clustered by image and all differences tested; the matrix joins the five reports. In a folder that is given,
the database stays: the next call computes only what is missing, so that a new version of one metric takes minutes.
"""

import argparse
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.captioning.pages import ROOT, replace_between
from benchmarks.published_agreement import PAGE, write_agreement

DATA = Path(os.environ.get("ACCORDANCE_DATA", ROOT.parent / "shared" / "data"))
METRICS = (
    "length,bleu-1,bleu-2,bleu-3,bleu-4,rouge-l,meteor,cider,cider-d,spice,wmd,embedding-f1,sentence-cosine,"
    "sentence-cosine-max,critic-reference"
)
STUDIES: dict[str, tuple[str, ...]] = {
    "flickr8k-expert": ("flickr8k-expert", "--from", f"{DATA}/flickr8k"),
    "flickr8k-cf": ("flickr8k-cf", "--from", f"{DATA}/flickr8k"),
    "pascal-50s": ("pascal-50s", "--from", f"{DATA}/pascal50s"),
    "composite-8k-half": (
        *("composite", "--from", f"{DATA}/composite/composite_8k_half.csv"),
        *("--references", f"{DATA}/flickr8k/Flickr8k.token.txt.gz"),
    ),
    "nebula": ("nebula", "--from", f"{DATA}/nebula/nebula_test.jsonl"),
}
"""The columns, each with the arguments of `import_data`."""


def main() -> int:
    """Import, score, correlate, and write the table into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="where the database stays (default: a temporary folder)")
    # Holm's correction of 105 differences needs 2,100 at least.
    parser.add_argument("--resamples", type=int, default=4200)
    chosen = parser.parse_args()
    with nullcontext(chosen.folder) if chosen.folder else TemporaryDirectory() as folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "ACCORDANCE_VAR": str(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        _write_page(_make_matrix(chosen.resamples))
    write_agreement()
    return 0


def _make_matrix(n_resamples: int) -> str:
    import django

    django.setup()
    from django.core.management import call_command

    from correlation.reports.matrix_forms import print_markdown_matrix
    from studies.models import Study
    from studies.publishing.report_matrix import find_newest_reports, make_matrix

    call_command("migrate", verbosity=0)
    for name, arguments in STUDIES.items():
        if not Study.objects.filter(name=name).exists():
            call_command("import_data", *arguments, "--study", name)
        call_command("score", name, "--metrics", METRICS)
        report = ("--metrics", METRICS, "--ci", "images", "--test", "bootstrap", "--resamples", str(n_resamples))
        call_command("freeze_report", name, *report, "--processes", "2")
    reports = {each.study.name: each for each in find_newest_reports(Study.objects.filter(name__in=STUDIES))}
    return print_markdown_matrix(make_matrix([reports[name] for name in STUDIES]))


def _write_page(table: str) -> None:
    try:
        replace_between(PAGE, "<!-- matrix -->", "<!-- end -->", content=table)
    except ValueError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    sys.exit(main())

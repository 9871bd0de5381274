"""Tests of the script of the benchmark matrix: its imports, its metrics, and how it rewrites the page."""

import shutil

import pytest
from django.core.management import load_command_class

from benchmarks import matrix
from metrics_plugins.runtime import load_registry


@pytest.mark.parametrize("name", matrix.STUDIES)
def test_every_column_is_imported_from_files_that_are_there(name):
    parser = load_command_class("studies", "import_data").create_parser("manage.py", "import_data")

    chosen = parser.parse_args([*matrix.STUDIES[name], "--study", name])

    assert all(path.exists() for path in chosen.sources)


def test_every_metric_is_installed():
    assert set(matrix.METRICS.split(",")) <= {entry.info.id for entry in load_registry()}


def test_the_table_is_replaced_and_the_text_stays(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    shutil.copy(matrix.PAGE, page)
    monkeypatch.setattr(matrix, "PAGE", page)
    head, _, rest = page.read_text().partition("<!-- matrix -->\n")
    tail = rest.partition("<!-- end -->")[2]

    for table in ("| one |\n", "| two \\1 |\n"):
        matrix._write_page(table)

    assert page.read_text() == f"{head}<!-- matrix -->\n| two \\1 |\n<!-- end -->{tail}"


def test_a_page_without_its_markers_ends_with_a_line(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("No table.\n")
    monkeypatch.setattr(matrix, "PAGE", page)

    with pytest.raises(SystemExit, match=r"^\S+page\.md has no section between <!-- matrix --> and <!-- end -->$"):
        matrix._write_page("| one |\n")


def test_the_page_has_every_metric_and_every_study():
    header, _, *rows = [line for line in matrix.PAGE.read_text().splitlines() if line.startswith("|")]

    names = [row.split("|")[1].strip() for row in rows]
    assert sorted(name for name in names if name != "*people*") == sorted(matrix.METRICS.split(","))
    assert all(f" {study}: " in header for study in matrix.STUDIES)

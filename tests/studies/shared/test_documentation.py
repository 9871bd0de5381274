from pathlib import Path

from studies.shared import documentation
from studies.shared.documentation import Entry, list_groups, list_pages

ROOT = Path(__file__).resolve().parents[3]


def test_pages_are_grouped_as_in_the_readme() -> None:
    groups = dict(list_groups())

    assert list(groups)[:5] == ["Getting started", "Studies and raters", "Analysis", "Metrics", "The platform"]
    assert groups["Getting started"][0].name == "quick-start"
    assert groups["Metrics"][1].about == "the metric contract, hook by hook"
    assert all(
        each.about in (ROOT / "README.md").read_text().replace("`", "") for group in groups.values() for each in group
    )


def test_every_page_is_listed_once() -> None:
    listed = [each.name for _, entries in list_groups() for each in entries]

    assert sorted(listed) == sorted(name for name, _ in list_pages())


def test_without_the_readme_all_pages_are_one_group(tmp_path, monkeypatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "first.md").write_text("# The first\n")
    monkeypatch.setattr(documentation, "_folder", lambda: tmp_path / "docs")
    monkeypatch.setattr(documentation, "list_pages", documentation.list_pages.__wrapped__)

    assert list_groups.__wrapped__() == (("All pages", (Entry("first", "The first"),)),)

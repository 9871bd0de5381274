"""Tests of the guides for newcomers: their files, commands and numbers."""

import json
import re
import shlex
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command, get_commands, load_command_class

from studies.datasets.drafts.checks import Preview
from studies.design.design_files import read_design
from studies.enums import PanelKind, RaterOutcome, TaskKind
from studies.shared.files import SourceFile
from tests.factories.studies import make_user
from tests.studies.uploads import make_pictures, stage

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDES = ("quick-start.md", "reproduce-flickr8k.md", "prolific.md", "deploy.md")


def read_blocks(page: str, language: str) -> list[str]:
    """Return the blocks of a language on a page, in order."""
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


def list_commands(page: str) -> list[list[str]]:
    """Return the arguments of every `manage.py` line within a block of shell, with the lines that go on with it."""
    blocks = [block.replace("\\\n", "") for block in read_blocks(page, "sh")]
    lines = [line.partition("manage.py ")[2] for block in blocks for line in block.splitlines() if "manage.py " in line]
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("page", GUIDES)
def test_commands_and_their_flags_exist(page: str) -> None:
    for name, *arguments in list_commands(page):
        app = get_commands()[name]
        known = load_command_class(app, name).create_parser("manage.py", name)
        flags = {option for action in known._actions for option in action.option_strings}

        assert [each for each in arguments if each.startswith("--") and each not in flags] == []


@pytest.mark.django_db
def test_files_of_the_quick_start_make_a_study(settings, tmp_path) -> None:
    settings.MEDIA_ROOT, settings.ACCORDANCE_UPLOADS = tmp_path / "media", tmp_path / "uploads"
    table, references = read_blocks("quick-start.md", "csv")
    staged = stage(
        make_user("newcomer"),
        items=[SimpleUploadedFile("captions.csv", table.encode())],
        images=make_pictures("beach.png", "park.png", "street.png"),
        references=SimpleUploadedFile("references.csv", references.encode()),
    )

    seen = Preview.from_json(staged.checked)

    assert (list(seen.faults), seen.n_references, seen.n_unreferenced) == ([], 6, 0)


def test_design_for_prolific_is_read() -> None:
    (block,) = read_blocks("prolific.md", "toml")
    design, kind = read_design(SourceFile("design.toml", block.encode()))

    assert (kind, design.panel.kind, design.checks.every) == (TaskKind.RATING, PanelKind.PROLIFIC, 8)
    # What the page says of the reward: forty tasks of fifteen seconds at the promised wage.
    assert design.pay.reward == design.pay.hourly_wage * design.tasks_per_rater * design.task_seconds / 3600
    assert bool(design.consent)
    assert set(design.panel.codes) == set(RaterOutcome.values) - {RaterOutcome.WITHDRAWN}


@pytest.mark.slow
@pytest.mark.django_db
def test_table_of_flickr8k_comes_out(data_folder: Path) -> None:
    page = (DOCS / "reproduce-flickr8k.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([\w-]+)` \| ([\d.]+) \| ([\d.]+) \|$", page, re.MULTILINE)
    names = ",".join(name for name, *_ in told)
    call_command("import_data", "flickr8k-expert", "--from", str(data_folder / "flickr8k"), stdout=StringIO())
    call_command("score", "flickr8k-expert", "--metrics", names, stdout=StringIO())
    out = StringIO()

    call_command("correlate", "flickr8k-expert", "--metrics", names, "--json", stdout=out)

    found = {row["metric"]: row["value"] for row in json.loads(out.getvalue())}
    assert len(told) == 4
    assert {name: f"{100 * found[name]:.2f}" for name, *_ in told} == {name: ours for name, ours, _ in told}
    assert {name: f"{100 * found[name]:.1f}" for name, *_ in told} == {name: theirs for name, _, theirs in told}
    assert {row["n"] for row in json.loads(out.getvalue())} == {16_992}

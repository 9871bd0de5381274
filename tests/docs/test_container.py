"""Tests of the Dockerfile without an engine: its instructions one by one, and its steps in an empty folder."""

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from django.core.management import get_commands, load_command_class

from tests.postgres import find_free_port
from tests.studies.management.commands.test_serve import fetch

ROOT = Path(__file__).resolve().parents[2]


class Instruction(NamedTuple):
    """An instruction such as `COPY`, with the rest of its line."""

    name: str
    rest: str


def read_instructions() -> list[Instruction]:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", "")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [Instruction(*line.split(maxsplit=1)) for line in lines]


INSTRUCTIONS = read_instructions()
# Those of the image that is run.
LAST = INSTRUCTIONS[max(i for i, each in enumerate(INSTRUCTIONS) if each.name == "FROM") :]


def find_last(name: str) -> str:
    return next(each.rest for each in reversed(LAST) if each.name == name)


def list_copied() -> list[str]:
    copies = [each.rest.split() for each in INSTRUCTIONS if each.name == "COPY" and "--from" not in each.rest]
    return [source for *sources, _target in copies for source in sources]


def read_variables() -> dict[str, str]:
    return dict(pair.split("=", 1) for each in LAST if each.name == "ENV" for pair in shlex.split(each.rest))


def test_only_known_instructions() -> None:
    known = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}

    assert {each.name for each in INSTRUCTIONS} <= known


def test_everything_copied_is_there_and_is_sent_to_the_engine() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    sent = {line.removeprefix("!") for line in lines if line.startswith("!")}

    assert [source for source in list_copied() if not (ROOT / source).exists()] == []
    assert "*" in lines
    assert sent == set(list_copied())
    assert [name for name in sent if fnmatch.fnmatch(name, "*.sqlite3*") or name in ("var", ".git", "plugins")] == []


def test_every_package_is_copied() -> None:
    find = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]

    assert {name.rstrip("*") for name in find["include"]} <= set(list_copied())


def test_runs_as_a_user_without_rights_and_keeps_data_in_a_volume() -> None:
    variables = read_variables()

    assert find_last("USER") == "accordance"
    assert any(each.name == "RUN" and "useradd" in each.rest and "/nologin" in each.rest for each in LAST)
    assert find_last("VOLUME") == "/data"
    assert all("/data/" in variables[name] for name in ("ACCORDANCE_VAR", "ACCORDANCE_CACHE", "DATABASE_URL"))


def test_has_no_secrets_and_only_settings_that_exist() -> None:
    operations = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    own = {"PATH", "PYTHONUNBUFFERED", "OPENBLAS_NUM_THREADS"}

    assert [name for name in read_variables() if re.search("KEY|SECRET|PASSWORD|TOKEN", name)] == []
    assert [name for name in set(read_variables()) - own if f"`{name}`" not in operations] == []


def test_its_command_is_one_of_the_project_with_options_that_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (program,), (name, *options) = json.loads(find_last("ENTRYPOINT")), json.loads(find_last("CMD"))

    assert program in project["scripts"]
    chosen = load_command_class(get_commands()[name], name).create_parser(program, name).parse_args(options)
    assert (chosen.host, str(chosen.port)) == ("0.0.0.0", find_last("EXPOSE"))  # noqa: S104 - within the container


def test_everything_is_told() -> None:
    page = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")

    assert "docker build" in page
    assert "Dockerfile" in page


@pytest.mark.slow
def test_its_steps_in_an_empty_folder_serve_pages_and_pass_the_health_check(tmp_path: Path) -> None:
    source, opt, data = tmp_path / "src", tmp_path / "opt", tmp_path / "data"
    source.mkdir()
    data.mkdir()
    for name in list_copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(opt)], check=True)
    # In place of the packages that the first step fetches, those of the tests.
    (site,) = opt.glob("lib/python*/site-packages")
    installed = next(each for each in sys.path if each.endswith("site-packages"))
    (site / "tested.pth").write_text(f"{installed}\n")
    install = next(each.rest for each in INSTRUCTIONS if each.name == "RUN" and each.rest.endswith("--no-index ."))
    step = [*shlex.split(install.replace("/opt/accordance", str(opt))), "--ignore-installed"]
    subprocess.run(step, cwd=source, check=True, capture_output=True)
    shutil.rmtree(source)
    port = str(find_free_port())
    here = {name: value.replace("/data", str(data)) for name, value in read_variables().items()}
    environment = here | {"PATH": f"{opt}/bin:{os.environ['PATH']}", "HOME": str(data)}
    command = [*json.loads(find_last("ENTRYPOINT")), *json.loads(find_last("CMD"))]
    check = json.loads(find_last("HEALTHCHECK").partition("CMD ")[2])
    command, check = ([each.replace("8000", port) for each in words] for words in (command, check))

    program = str(opt / "bin" / command[0])
    before = subprocess.run([str(opt / "bin" / "python"), *check[1:]], env=environment, capture_output=True)
    with subprocess.Popen([program, *command[1:]], cwd=data, env=environment) as server:
        try:
            page = fetch(f"http://127.0.0.1:{port}/login/", within=120)
            health = subprocess.run([str(opt / "bin" / "python"), *check[1:]], env=environment, capture_output=True)
            where = subprocess.run(
                [str(opt / "bin" / "python"), "-c", "import accordance; print(accordance.__file__)"],
                cwd=data,
                env=environment,
                capture_output=True,
                text=True,
            )
        finally:
            server.terminate()

    assert before.returncode != 0
    assert "csrfmiddlewaretoken" in page
    assert health.returncode == 0, health.stderr
    assert where.stdout.startswith(str(opt))
    assert {each.name for each in data.iterdir()} >= {"db.sqlite3", "var"}

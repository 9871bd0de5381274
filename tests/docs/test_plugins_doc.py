"""Tests that docs/plugins.md covers the whole contract, and of its examples."""

import ast
import dataclasses
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from metrics_plugins import adapters
from metrics_plugins.adapters import CommandFailed
from metrics_plugins.api import Batch, FitsOn, Input, Level, MetricInfo, hooks
from metrics_plugins.api.providers import Encoder, Tokenizer
from metrics_plugins.api.worlds import CaptionWorld
from metrics_plugins.cli import main
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.checks import CHECKS, check_metric

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "plugins.md").read_text()
HOOKS_FILE = ast.parse(Path(hooks.__file__).read_text())
HOOK_FUNCTIONS = [node for node in HOOKS_FILE.body if isinstance(node, ast.FunctionDef)]
HOOK_TESTS = (ROOT / "tests" / "metrics_plugins" / "api" / "test_hooks.py").read_text()


def test_hooks_are_found_in_their_file() -> None:
    assert [hook.name for hook in HOOK_FUNCTIONS] == [
        "register_metrics",
        "provide_tokenizer",
        "provide_encoder",
        "provide_worlds",
    ]


@pytest.mark.parametrize("hook", HOOK_FUNCTIONS, ids=lambda hook: hook.name)
def test_hook_has_a_heading_with_its_exact_signature(hook: ast.FunctionDef) -> None:
    heading = f"### `{hook.name}({ast.unparse(hook.args)}) -> {ast.unparse(hook.returns)}`"

    assert heading in PAGE.splitlines()


@pytest.mark.parametrize("hook", HOOK_FUNCTIONS, ids=lambda hook: hook.name)
def test_hook_has_its_arguments_and_an_example(hook: ast.FunctionDef) -> None:
    section = PAGE.split(f"### `{hook.name}(")[1].split("\n##")[0]

    assert re.findall(r"^- `(\w+)`:", section, re.M) == [argument.arg for argument in hook.args.args]
    assert f"@hookimpl\ndef {hook.name}(" in section


@pytest.mark.parametrize("hook", HOOK_FUNCTIONS, ids=lambda hook: hook.name)
def test_hook_has_a_test(hook: ast.FunctionDef) -> None:
    assert f"def test_{hook.name}_" in HOOK_TESTS


def test_every_field_of_the_declaration_is_told_in_order() -> None:
    section = PAGE.split("## `MetricInfo`")[1].split("\n##")[0]

    assert re.findall(r"^\| `(\w+)` \|", section, re.M) == [field.name for field in dataclasses.fields(MetricInfo)]


@pytest.mark.parametrize("member", [*Level, *Input, *FitsOn], ids=str)
def test_every_enum_member_is_documented(member: Level | Input | FitsOn) -> None:
    assert f"`{member.name}`" in PAGE


def test_every_check_is_told_in_order_and_in_its_own_words() -> None:
    section = PAGE.split("## Checks")[1].split("\n##")[0]

    assert re.findall(r"^- `([\w-]+)`: (.*)$", section, re.M) == [(check.name, check.clause) for check in CHECKS]


def test_every_option_of_score_is_told() -> None:
    options = re.findall(r'"(--[a-z]+)"', Path(main.__file__).read_text())

    assert [option for option in options if option not in PAGE] == []


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The page's examples, as the one module that they would be."""
    folder = tmp_path_factory.mktemp("examples")
    path = folder / "examples_of_the_plugins_page.py"
    path.write_text("\n\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.S)))
    sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(folder))
    del sys.modules[path.stem]


def test_example_metric_passes_its_checks(examples: ModuleType) -> None:
    examples.test_contract_at_once()


def test_every_adapter_is_told() -> None:
    section = PAGE.split("## Adapters")[1].split("\n## ")[0]

    names = [name for name in adapters.__all__ if name.startswith("adapt_")]
    assert [name for name in names if f" = {name}(" not in section] == []
    assert len(names) == 4


@pytest.mark.parametrize("name", ["Overlap", "Chrf", "WordErrors"])
def test_adapted_examples_pass_their_checks(name: str, examples: ModuleType) -> None:
    assert [str(result) for result in check_metric(getattr(examples, name)) if not result.passed] == []


def test_adapted_program_of_the_page_starts_java(java: str, examples: ModuleType) -> None:
    batch = Batch.make(["x"], candidates=["a"], references=[["b"]])

    with pytest.raises(CommandFailed, match=r"java -jar /opt/metric/metric\.jar .*Unable to access jarfile"):
        examples.Program({}, device="cpu").score(batch)


def test_example_hooks_work(examples: ModuleType) -> None:
    registry = load_registry([examples])

    tokenizer = registry.get_tokenizer("upper")
    encoder = registry.get_encoder("letters")
    assert registry.get("long-words").metric_class is examples.LongWords
    assert isinstance(tokenizer, Tokenizer)
    assert tokenizer.tokenize(["a  dog"]) == ["A DOG"]
    assert isinstance(encoder, Encoder)
    assert encoder.encode(["abba"])[0, :3].tolist() == [2.0, 2.0, 0.0]
    world = registry.read_worlds(Path("nothing.empty"))["0"]
    assert isinstance(world, CaptionWorld)
    assert world.evaluate_caption("there is nothing .") == 1


def test_example_of_derived_features_works(examples: ModuleType) -> None:
    batch = Batch.make(["x", "y"], candidates=["a b c", "a"], references=[["a b", "a"], []])

    np.testing.assert_array_equal(examples.score_lengths(batch), [1, 1])

"""The texts of raters' pages as found in the sources, and the catalogues with their translations."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from django.template import Template
from django.template.base import Node
from django.template.engine import Engine
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

ROOT = Path(__file__).resolve().parents[2]
_TEMPLATES = ROOT / "annotation_ui/templates"
PAGES = _TEMPLATES / "annotation_ui"
CATALOGUES = ROOT / "annotation_ui/locale"
_FOR_RESEARCHERS = frozenset({"management", "previewing", "recruiting"})
# Beside the pages, what is said to raters when something of theirs is refused.
MODULES = (
    *(path for path in sorted((ROOT / "annotation_ui").rglob("*.py")) if not _FOR_RESEARCHERS & set(path.parts)),
    *sorted((ROOT / "studies/collection/assignment").glob("*.py")),
    ROOT / "studies/collection/arrival/arrivals.py",
    ROOT / "studies/design/presets.py",
    ROOT / "studies/simulation/demo/designs.py",
)
_MARKS = frozenset({"gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "_"})
# WrongSignature is for the log: raters are told that the address is not signed. The last two are for researchers.
_NOT_FOR_RATERS = frozenset(
    {
        "Http404",
        "TypeError",
        "ValueError",
        "CommandError",
        "RuntimeError",
        "WrongSignature",
        "NoKeys",
        "NoQuestion",
        "DoesNotExist",
    }
)
_TOLD = frozenset({"alt", "aria-label", "placeholder", "title"})
_TEMPLATE_WORDS = re.compile(
    r"{% (blocktranslate|comment).*?{% end\1 %}|{% block width %}\w*|{%.*?%}|{{.*?}}|{#.*?#}",
    re.DOTALL,
)
_PLACEHOLDER = re.compile(r"%\((\w+)\)([a-z])")


@dataclass(frozen=True, slots=True)
class Text:
    """One text: `forms` has the singular and, where it counts something, the plural."""

    forms: tuple[str, ...]
    where: str


@dataclass(slots=True)
class Entry:
    """One entry of a catalogue: its keywords with their strings, and the flags in its comments."""

    words: dict[str, str] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)

    @property
    def forms(self) -> tuple[str, ...]:
        return tuple(self.words[name] for name in ("msgid", "msgid_plural") if name in self.words)

    @property
    def translations(self) -> tuple[str, ...]:
        return tuple(text for name, text in self.words.items() if name.startswith("msgstr"))


def find_texts() -> list[Text]:
    """Return every text that is marked for translation, in pages and in Python."""
    pages = [text for path in sorted(PAGES.rglob("*.html")) for text in _find_in_page(path)]
    return pages + [text for path in MODULES for text in _find_in_module(path)]


def find_bare_words(path: Path) -> list[str]:
    """Return the words of a page that no catalogue can translate."""
    reader = _BareWords()
    reader.feed(_TEMPLATE_WORDS.sub("", path.read_text()))
    reader.close()
    return reader.found


def find_bare_refusals(path: Path) -> list[str]:
    """Return the exceptions of a module that are raised with words for raters which are not marked."""
    raised = [node.exc for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Raise)]
    calls = {call: ast.unparse(call.func) for call in raised if isinstance(call, ast.Call) and call.args}
    return [
        f"{path.name}: {name}"
        for call, name in calls.items()
        if name.rpartition(".")[2] not in _NOT_FOR_RATERS and isinstance(call.args[0], ast.Constant | ast.JoinedStr)
    ]


def read_catalogue(path: Path) -> list[Entry]:
    """Return the entries of a .po file without its head."""
    entries = [_read_entry(block) for block in re.split(r"\n\s*\n", path.read_text().strip())]
    return [entry for entry in entries if entry.words.get("msgid")]


def list_placeholders(text: str) -> list[tuple[str, str]]:
    """Return the names and kinds of what is filled in, sorted."""
    return sorted(_PLACEHOLDER.findall(text))


def walk_nodes(template: Template) -> Iterator[Node]:
    """Yield all nodes of a page, those of blocks and conditions too."""
    waiting = list(template.nodelist)
    while waiting:
        node = waiting.pop()
        yield node
        for name in node.child_nodelists:
            waiting.extend(getattr(node, name, None) or ())


def load_page(path: Path) -> Template:
    return Engine.get_default().get_template(str(path.relative_to(_TEMPLATES)))


class _BareWords(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in _TOLD:
                self.handle_data(value or "")

    def handle_data(self, data: str) -> None:
        self.found += [word for word in re.findall(r"[^\W\d_]{2,}", data) if word != "Accordance"]


def _find_in_page(path: Path) -> Iterator[Text]:
    where = str(path.relative_to(ROOT))
    for node in walk_nodes(load_page(path)):
        if isinstance(node, TranslateNode):
            yield Text((node.filter_expression.var.literal,), where)
        elif isinstance(node, BlockTranslateNode):
            tokens = [node.singular, *([node.plural] if node.plural else [])]
            yield Text(tuple(node.render_token_list(form)[0] for form in tokens), where)


def _find_in_module(path: Path) -> Iterator[Text]:
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in _MARKS:
            continue
        n_forms = 2 if node.func.id.startswith("ngettext") else 1
        forms = [argument.value for argument in node.args[:n_forms]]
        yield Text(tuple(forms), str(path.relative_to(ROOT)))


def _read_entry(block: str) -> Entry:
    entry, word = Entry(), ""
    for line in block.splitlines():
        if line.startswith("#,"):
            entry.flags |= {flag.strip() for flag in line[2:].split(",")}
        elif not line.startswith("#"):
            start, quote, rest = line.partition('"')
            word = start.strip() or word
            entry.words[word] = entry.words.get(word, "") + ast.literal_eval(quote + rest)
    return entry

"""The grammar of captions, which both parses and realises them.

Lark compiles the grammar file to LALR(1) tables without conflicts, so each caption has at most one reading. This module
runs the tables on captions that are already split into words, which is much faster than a general parser.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

from captioning.worlds.errors import NotGrammatical, NotRealisable
from captioning.worlds.language.construction import Construction
from captioning.worlds.language.constructions import CONSTRUCTIONS
from captioning.worlds.language.propositions import Proposition

_END = "$END"
_START = "sentence"
_SPELLINGS = {"grey": "gray", "colour": "color"}
# An alternative without a name has the value of its only part.
_PASS = Construction(lambda value: value, lambda value: (value,))


@dataclass(frozen=True, slots=True)
class Alternative:
    """A production of a nonterminal: symbols are ("word", w), ("class", terminal) or ("rule", nonterminal).

    `valued` contains the positions of the symbols with a value, from the end (-1 is the last); `size` is the number of
    symbols.
    """

    origin: str
    symbols: tuple[tuple[str, str], ...]
    construction: Construction
    valued: tuple[int, ...]
    size: int
    build: Callable[..., Any]


@dataclass(frozen=True)
class Grammar:
    """The compiled grammar: `shifts` and `reductions` by state and terminal, `gotos` by state and nonterminal."""

    terminals: dict[str, str]
    words: dict[str, tuple[str, ...]]
    alternatives: dict[str, tuple[Alternative, ...]]
    actions: tuple[dict[str, Any], ...]
    start: int
    end: int
    _said: dict[tuple[str, Any], tuple[str, ...] | None] = field(default_factory=dict, repr=False, compare=False)

    def parse(self, text: str) -> Proposition:
        """Return the proposition of a caption.

        Words are separated by spaces, and the last one is a full stop. Raises `NotGrammatical`, whose message names the
        first word that is not allowed and the words that are allowed there.
        """
        words = text.split()
        terminals = self.terminals
        actions = self.actions
        states = [self.start]
        values: list[Any] = []
        position = 0
        kind = terminals.get(words[0], "") if words else _END
        while True:
            action: Any = actions[states[-1]].get(kind)
            if action.__class__ is int:
                states.append(action)
                values.append(words[position])
                position += 1
                kind = terminals.get(words[position], "") if position < len(words) else _END
                continue
            if action is None:
                raise self._explain(words, position, states)
            size = action.size
            value = action.build(*[values[place] for place in action.valued])
            del values[-size:], states[-size:]
            if action.origin == _START:
                result: Proposition = value
                return result
            states.append(actions[states[-1]][action.origin])
            values.append(value)

    def realise(self, proposition: Proposition) -> str:
        """Return the caption of a proposition; raises `NotRealisable` if it cannot be expressed in the language."""
        words = self._say(_START, proposition)
        if words is None:
            raise NotRealisable(f"no sentence of the language says {proposition}")
        return " ".join(words)

    def _say(self, origin: str, value: Any) -> tuple[str, ...] | None:
        try:
            return self._said[origin, value]
        except KeyError:
            pass
        found = None
        for alternative in self.alternatives[origin]:
            found = self._say_alternative(alternative, value)
            if found is not None:
                break
        if len(self._said) > 200_000:
            self._said.clear()
        self._said[origin, value] = found
        return found

    def _say_alternative(self, alternative: Alternative, value: Any) -> tuple[str, ...] | None:
        parts = alternative.construction.take(value)
        if parts is None:
            return None
        words: list[str] = []
        remaining = iter(parts)
        for kind, name in alternative.symbols:
            if kind == "word":
                words.append(name)
            elif kind == "class":
                word = next(remaining)
                if word not in self.words[name]:
                    return None
                words.append(word)
            else:
                said = self._say(name, next(remaining))
                if said is None:
                    return None
                words.extend(said)
        return tuple(words)

    def _explain(self, words: list[str], position: int, states: list[int]) -> NotGrammatical:
        possible = [kind for kind in self.words if self._accepts(states, kind)]
        expected = tuple(sorted(word for kind in possible for word in self.words[kind]))
        before = " ".join(words[:position])
        place = f"after {before!r}" if before else "at the beginning"
        choices = ", ".join(expected) or "nothing"
        if position == len(words):
            message = f"the caption ends too early {place}; could follow: {choices}"
            return NotGrammatical(message, position=position, word="", expected=expected)
        word = words[position]
        unknown = "" if word in self.terminals else ", which is no word of the language"
        message = f"word {position + 1}, {word!r}{unknown}, cannot stand {place}; could stand there: {choices}"
        return NotGrammatical(message, position=position, word=word, expected=expected)

    def _accepts(self, states: list[int], kind: str) -> bool:
        """Return whether a terminal can follow, since the tables may reduce before a terminal that is then refused."""
        states = list(states)
        while True:
            action = self.actions[states[-1]].get(kind)
            if not isinstance(action, Alternative):
                return action is not None
            if action.origin == _START:
                return kind == _END
            del states[-len(action.symbols) :]
            states.append(self.actions[states[-1]][action.origin])


@lru_cache(maxsize=1)
def load_grammar() -> Grammar:
    """Return the compiled grammar file, which is compiled once per process."""
    import lark
    from lark.parsers.lalr_analysis import Shift

    text = resources.files(__package__).joinpath("captions.lark").read_text(encoding="utf-8")
    compiled = lark.Lark(text, parser="lalr", lexer="basic", start=_START)
    words = {each.name: _list_words(each.pattern.value) for each in compiled.terminals}
    rules = {rule: _make_alternative(rule, words) for rule in compiled.rules}
    table: Any = compiled.parse_interactive("").parser_state.parse_conf.parse_table
    actions = tuple(
        {name: target if move is Shift else rules[target] for name, (move, target) in table.states[state].items()}
        for state in range(len(table.states))
    )
    alternatives: dict[str, tuple[Alternative, ...]] = {}
    for each in rules.values():
        alternatives[each.origin] = (*alternatives.get(each.origin, ()), each)
    return Grammar(
        terminals={word: name for name, choices in words.items() for word in choices},
        words=words,
        alternatives=alternatives,
        actions=actions,
        start=table.start_states[_START],
        end=table.end_states[_START],
    )


def _list_words(pattern: str) -> tuple[str, ...]:
    """Return the words of a terminal; Lark writes alternatives as `(?:a|b)` and escapes the full stop."""
    return tuple(pattern.removeprefix("(?:").removesuffix(")").replace("\\", "").split("|"))


def _make_alternative(rule: Any, words: dict[str, tuple[str, ...]]) -> Alternative:
    symbols: list[tuple[str, str]] = []
    valued: list[int] = []
    for place, symbol in enumerate(rule.expansion):
        if symbol.is_term and symbol.filter_out:
            symbols.append(("word", words[symbol.name][0]))
            continue
        symbols.append(("class" if symbol.is_term else "rule", symbol.name))
        valued.append(place)
    construction = CONSTRUCTIONS[rule.alias] if rule.alias else _PASS
    size = len(symbols)
    places = tuple(place - size for place in valued)
    return Alternative(rule.origin.name, tuple(symbols), construction, places, size, construction.build)


def parse_caption(text: str) -> Proposition:
    """Return the proposition of a caption; raises `NotGrammatical`."""
    return load_grammar().parse(text)


def realise_caption(proposition: Proposition) -> str:
    """Return the caption of a proposition; raises `NotRealisable`."""
    return load_grammar().realise(proposition)


def is_grammatical(text: str) -> bool:
    """Return whether a caption is a sentence of the language."""
    try:
        load_grammar().parse(text)
    except NotGrammatical:
        return False
    return True


def tokenize_sentence(text: str | Sequence[str]) -> str:
    """Return a written sentence, or a list of words, as a caption.

    The caption is in lower case and American spelling, its words are separated by spaces, and it ends with a full stop.
    """
    joined = text if isinstance(text, str) else " ".join(text)
    words = joined.lower().strip().rstrip(".").split()
    return " ".join([*(_SPELLINGS.get(word, word) for word in words), "."])


def write_sentence(caption: str) -> str:
    """Return a caption as a written sentence, with a capital letter and without a space before the full stop."""
    return caption[:1].upper() + caption[1:].replace(" .", ".")

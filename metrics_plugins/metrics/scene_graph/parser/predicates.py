"""Tuples from clauses: relations between a subject and its objects, and attributes of a subject."""

from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposal
from metrics_plugins.metrics.scene_graph.parser.mentions import Mentions
from metrics_plugins.metrics.scene_graph.parser.prepositions import Link, list_links
from metrics_plugins.metrics.scene_graph.parser.trees import ADJECTIVES, NOUNS, SUBJECTS, VERBS

_NO_PREDICATES = frozenset({"amod", "aux", "auxpass", "compound", "nsubj", "dobj", "pobj", "case", "prep"})
_CLAUSES = frozenset({"ROOT", "conj", "relcl", "ccomp", "advcl", "acl"})
_PASSIVE = frozenset({"nsubjpass", "auxpass"})
_OBJECTS = frozenset({"dobj", "attr", "dative"})
_COMPLEMENTS = frozenset({"acomp", "oprd"})
_RELATIVE_TAGS = frozenset({"WDT", "WP", "WP$", "WRB"})
_QUALITY_TAGS = ADJECTIVES | {"VBN", "VBG", "RB"}
_PREPOSITION_TAGS = frozenset({"IN", "TO"})
_PLACING_ADJECTIVES = frozenset({"next", "close", "near", "adjacent"})
"""With a preposition these adjectives describe where a thing is, and not what it is like."""


class Predicates:
    """The clauses of one caption."""

    def __init__(self, mentions: Mentions) -> None:
        """Store the mentions of a caption."""
        self._mentions = mentions
        self._subjects: dict[int, list[int]] = {}
        self._relations: list[Proposal] = []
        self._attributes: list[Proposal] = []

    def propose(self) -> tuple[list[Proposal], list[Proposal]]:
        """Return relations and attributes."""
        tree = self._mentions.tree
        for word, label in enumerate(tree.labels):
            tag = tree.tags[word]
            if tag in VERBS:
                if label not in _NO_PREDICATES:
                    self._read_verb(word)
            elif label in _CLAUSES and tree.has_child(word, SUBJECTS):
                self._read_verbless(word)
        return self._relations, self._attributes

    def find_subjects(self, predicate: int) -> list[int]:
        """Return the subjects of a predicate: its own, else those of the clause on which it depends."""
        tree = self._mentions.tree
        path: list[int] = []
        found: list[int] | None = None
        word: int | None = predicate
        while word is not None and found is None:
            if word in self._subjects:
                found = self._subjects[word]
            elif path and tree.tags[word] in NOUNS and not tree.is_predicate(word):
                found = self._mentions.find_things(word)
            else:
                path.append(word)
                found, word = self._find_own_subjects(word), self._find_controller(word)
        self._subjects |= dict.fromkeys(path, found or [])
        return found or []

    def _find_own_subjects(self, predicate: int) -> list[int] | None:
        """Return the subjects in the clause itself; None if it has none."""
        mentions, tree = self._mentions, self._mentions.tree
        own = tree.find_children(predicate, SUBJECTS)
        if not own:
            label, head = tree.labels[predicate], tree.heads[predicate]
            if tree.has_child(predicate, {"expl"}):
                return []
            if label in ("acl", "relcl"):
                return mentions.find_things(head)
            if label == "xcomp":
                # "a man helps a dog climb": "dog" is the subject of "climb".
                objects = tree.find_children(head, {"dobj"})
                return [thing for word in objects for thing in mentions.list_things(word)] or None
            return None
        found = []
        for subject in own:
            if tree.labels[predicate] == "relcl" and self._is_relative(subject):
                found += mentions.find_things(tree.heads[predicate])
            else:
                found += mentions.list_things(subject)
        return found

    def _find_controller(self, predicate: int) -> int | None:
        """Return the word on which a clause without a subject depends, if the subject is found there."""
        tree = self._mentions.tree
        label, head = tree.labels[predicate], tree.heads[predicate]
        if label == "pcomp":
            while tree.labels[head] in ("prep", "pcomp") and tree.heads[head] != head:
                head = tree.heads[head]
            return head
        if label == "ccomp" and tree.tags[predicate] != "VBG":
            return None
        if label == "xcomp":
            return head
        return head if label in ("conj", "advcl", "ccomp") and tree.tags[head] not in NOUNS else None

    def _is_relative(self, word: int) -> bool:
        return self._mentions.tree.tags[word] in _RELATIVE_TAGS or self._mentions.tree.words[word] == "that"

    def _read_verb(self, verb: int) -> None:
        mentions, tree = self._mentions, self._mentions.tree
        base = mentions.lemmas.find_verb(tree.words[verb])
        if base != "be":
            self._read_action(verb, base)
        elif tree.has_child(verb, {"expl"}):
            # "there is a dog on the grass"
            links = list_links(mentions, verb)
            for word in tree.find_children(verb, {"attr", "nsubj", "dobj"}):
                self._relate(mentions.list_things(word), links)
        else:
            self._read_copula(verb)

    def _read_action(self, verb: int, base: str) -> None:
        mentions, tree = self._mentions, self._mentions.tree
        subjects = self.find_subjects(verb)
        if not subjects:
            return
        is_passive = tree.has_child(verb, _PASSIVE)
        name = " ".join([base, *(tree.words[child] for child in tree.find_children(verb, {"prt"}))])
        before = len(self._relations)
        agents = [
            thing
            for preposition in tree.find_children(verb, {"agent"})
            for word in tree.find_children(preposition, {"pobj"})
            for thing in mentions.list_things(word)
        ]
        if is_passive:
            for subject in subjects:
                self._relate(agents, [(base, subject)])
        else:
            self._relate(subjects, [(f"{name} by", agent) for agent in agents])
        objects = [(name, thing) for thing in self._list_objects(verb, is_passive=is_passive)]
        self._relate(subjects, [*objects, *list_links(mentions, verb, name=name)])
        qualities = [
            tree.words[word]
            for complement in tree.find_children(verb, _COMPLEMENTS)
            for word in mentions.list_joined(complement)
            if tree.tags[word] in ADJECTIVES
        ]
        if not qualities and len(self._relations) == before:
            qualities = [base]
        self._describe(subjects, qualities)

    def _list_objects(self, verb: int, *, is_passive: bool) -> list[int]:
        mentions, tree = self._mentions, self._mentions.tree
        words = [word for word in tree.find_children(verb, _OBJECTS) if tree.tags[word] not in _PREPOSITION_TAGS]
        found = [thing for word in words for thing in mentions.list_things(word)]
        if found or is_passive or tree.labels[verb] != "relcl":
            return found
        # "the ball that a dog catches": the noun is the object of its relative clause.
        own = tree.find_children(verb, {"nsubj"})
        return mentions.find_things(tree.heads[verb]) if own and not self._is_relative(own[0]) else []

    def _read_copula(self, verb: int) -> None:
        mentions, tree = self._mentions, self._mentions.tree
        subjects = self.find_subjects(verb)
        if not subjects:
            return
        for complement in tree.find_children(verb, {"acomp"}):
            for word in mentions.list_joined(complement):
                if tree.tags[word] in _QUALITY_TAGS:
                    quality = tree.words[word]
                    links = list_links(mentions, word, name=quality)
                    if not (links and quality in _PLACING_ADJECTIVES):
                        self._describe(subjects, [quality])
                    self._relate(subjects, links)
        for complement in tree.find_children(verb, {"attr"}):
            for thing in mentions.list_things(complement):
                if tree.tags[thing] in ADJECTIVES:
                    self._describe(subjects, [tree.words[thing]])
                elif thing not in subjects:
                    self._relate(subjects, [("be", thing)])
        self._relate(subjects, list_links(mentions, verb))

    def _read_verbless(self, word: int) -> None:
        """Read a predicate that is not a verb, or whose verb was tagged as a noun."""
        mentions, tree = self._mentions, self._mentions.tree
        subjects = self.find_subjects(word)
        tag, form = tree.tags[word], tree.words[word]
        if tag in ADJECTIVES or tag == "RB":
            self._describe(subjects, [form])
        elif tag in NOUNS:
            name = mentions.lemmas.find_verb(form)
            objects = tree.find_children(word, {"dobj"})
            things = [(name, thing) for child in objects for thing in mentions.list_things(child)]
            self._relate(subjects, [*list_links(mentions, word, name=name), *things])

    def _relate(self, subjects: list[int], links: list[Link]) -> None:
        name = self._mentions.name
        self._relations += [(name(subject), name(thing), relation) for subject in subjects for relation, thing in links]

    def _describe(self, subjects: list[int], qualities: list[str]) -> None:
        name = self._mentions.name
        self._attributes += [(name(subject), quality) for subject in subjects for quality in qualities]

"""Corrections of the model's errors in captions, which have no punctuation and are seldom whole sentences.

Each repair resolves a contradiction within the parse: a plural with "a", a verb that is not in the dictionary, a
modifier before an article. None uses lists of words taken from captions.
"""

from metrics_plugins.metrics.scene_graph.parser.lemmas import Lemmas
from metrics_plugins.metrics.scene_graph.parser.trees import ADJECTIVES, NOUNS, PLURALS, SUBJECTS, VERBS, Tree

_MODIFIERS = frozenset({"compound", "nmod", "amod"})
_COMPOUNDS = frozenset({"compound", "nmod"})
_DETERMINERS = frozenset({"det", "nummod", "poss"})
_SINGULAR_DETERMINERS = frozenset({"a", "an", "this", "that", "another"})
_NOMINAL_ROLES = frozenset({"pobj", "dobj", "conj", "nsubj", "nsubjpass", "attr", "appos"})
_NOUNLIKE = ADJECTIVES | {"NNP"}
_LOOSE_NOUNS = frozenset({"appos", "npadvmod", "dep", "nmod", "compound"})


def repair(tree: Tree, lemmas: Lemmas) -> None:
    """Correct the tree where its parse is contradictory."""
    for word in range(len(tree.words)):
        tag = _find_hidden_verb(tree, word, lemmas)
        if tag:
            _split_clause(tree, word, tag=tag)
    for word in range(len(tree.words)):
        _restore_noun(tree, word, lemmas)
    for word in range(len(tree.words)):
        if tree.tags[word] in NOUNS:
            _separate_list(tree, word)


def _find_hidden_verb(tree: Tree, word: int, lemmas: Lemmas) -> str | None:
    """Return the tag of a verb that was parsed as a noun with its subject as modifier, as in "a dog bites a ball"."""
    noun, tag = word - 1, tree.tags[word]
    if noun < 0 or tree.heads[noun] != word or tree.labels[noun] not in _MODIFIERS:
        return None
    form, noun_tag = tree.words[word], tree.tags[noun]
    determiners = {tree.words[child] for child in tree.children[word] if tree.labels[child] == "det"}
    if tag == "NNS" and (noun_tag == "NN" or (noun_tag in _NOUNLIKE and tree.words[noun] in lemmas.nouns)):
        # "a" cannot precede a plural.
        is_verb = lemmas.find_verb(form) != form and lemmas.is_verb(form)
        return "VBZ" if is_verb and determiners & _SINGULAR_DETERMINERS else None
    if tag == "NN" and noun_tag == "NNS":
        # "two" cannot precede a singular.
        counts = (tree.words[child] for child in tree.find_children(word, {"nummod"}))
        is_counted = any(count != "one" for count in counts)
        return "VBP" if is_counted and form in lemmas.verbs and not determiners & _SINGULAR_DETERMINERS else None
    if tag == "VBG" and tree.labels[word] not in ("amod", "compound"):
        # A participle cannot have an article or a preceding noun as modifier.
        is_noun = noun_tag in PLURALS or tree.words[noun] in lemmas.nouns
        is_clause = noun_tag in ("NN", "NNS") or (noun_tag in _NOUNLIKE and tree.has_child(word, _DETERMINERS))
        return "VBG" if is_noun and is_clause else None
    return None


def _split_clause(tree: Tree, verb: int, *, tag: str) -> None:
    """Make the word before a verb its subject, and assign their dependents to the noun or the verb."""
    noun = verb - 1
    tree.tags[verb] = tag
    if tree.tags[noun] not in NOUNS:
        tree.tags[noun] = "NN"
    for child in [child for child in tree.children[verb] if child < noun]:
        tree.move(child, noun, label=tree.labels[child])
    for child in tree.children[verb]:
        if child > verb and tree.labels[child] in _LOOSE_NOUNS and tree.tags[child] in NOUNS:
            tree.labels[child] = "dobj"
    head = tree.heads[verb]
    if tree.labels[verb] in SUBJECTS and tree.tags[head] in NOUNS:
        # The object was parsed as the predicate for lack of a verb: "a fox bites a hen".
        tree.move(verb, verb if tree.heads[head] == head else tree.heads[head], label=tree.labels[head])
        tree.move(head, verb, label="dobj")
    if tree.labels[verb] not in _NOMINAL_ROLES:
        tree.labels[noun] = "nsubj"
        return
    # The noun takes the verb's position in the phrase, and the verb modifies the phrase or the noun.
    owner = _find_owner(tree, verb, tag=tag)
    tree.move(noun, tree.heads[verb], label=tree.labels[verb])
    if owner is None or owner == noun:
        tree.move(verb, noun, label="acl")
    else:
        tree.move(verb, owner, label="acl" if tree.tags[owner] in NOUNS else "advcl")


def _find_owner(tree: Tree, verb: int, *, tag: str) -> int | None:
    """Return the root of a phrase with a misparsed predicate at its end, as in "a boy with a helmet plays"."""
    word = verb
    while tree.heads[word] != word:
        if tag == "VBG" and tree.labels[word] == "pobj" and tree.words[tree.heads[word]] == "of":
            return None
        word = tree.heads[word]
    if tree.tags[word] in NOUNS:
        return None if tree.has_child(word, {"nsubj"}) else word
    return word if tag == "VBG" and tree.tags[word] in VERBS else None


def _restore_noun(tree: Tree, word: int, lemmas: Lemmas) -> None:
    """Correct the tag of a noun tagged as a verb that is not in the dictionary, or as an adverb with an article."""
    form, tag = tree.words[word], tree.tags[word]
    if tag in VERBS:
        if form in lemmas.nouns and lemmas.find_verb(form) not in lemmas.verbs:
            tree.tags[word] = "NN"
    elif tag == "RB" and form in lemmas.nouns and tree.has_child(word, {"det"}):
        tree.tags[word] = "NN"
        if tree.labels[word] == "advmod":
            tree.labels[word] = "dobj"


def _separate_list(tree: Tree, head: int) -> None:
    """Join the nouns of a list without commas, as in "one bus one car"; compounds contain no article or number."""
    children = tree.children[head]
    last_determiner = max(
        (child for child in children if child < head and tree.labels[child] in _DETERMINERS), default=-1
    )
    for child in children:
        if child < last_determiner and tree.labels[child] in _COMPOUNDS and tree.tags[child] in NOUNS:
            tree.labels[child] = "conj"

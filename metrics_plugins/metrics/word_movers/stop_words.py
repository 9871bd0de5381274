"""English stop words, which are left out of Word Mover's Distance."""

from typing import Final

_WORDS: Final = (
    # articles, demonstratives, quantities
    "a an the this that these those all any both each few more most other some such no nor not only own same "
    # pronouns
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her "
    "hers herself it its itself they them their theirs themselves what which who whom whose "
    # auxiliaries, and the parts of contractions as split by the Penn Treebank
    "am is are was were be been being have has had having do does did doing will would shall should can could may "
    "might must ca wo n't 's 're 've 'll 'd 'm s t don "
    # conjunctions
    "and but if or because as until while than so "
    # prepositions and particles
    "of at by for with about against between into through during before after above below to from up down in out "
    "on off over under "
    # adverbs
    "again further then once here there when where why how too very just now"
)

ENGLISH: Final = frozenset(_WORDS.split())

"""The abbreviations of the Penn Treebank tokeniser, whose full stop is part of the token; in upper or lower case."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ENDING = _words(
    "al ala apr ariz assn aug bhd bldg blvd bros calif co colo conn corp cos ct dak dec esq est etc ext feb fla fri "
    "ga inc ind intl jan jr jul jun kan kans ky ltd mar md mich minn mo mon mont neb nev nov oct okla penn ph.d plc "
    "rd rt sep sept seq sq sr sys tel tenn thu thurs tue tues univ va vt wed wis wisc wyo"
)
"""Abbreviations that may end a sentence; the full stop is then also a separate token."""

ENDING_UNLESS_CAPITALS = _words("ppte pptes ppty pptys pte ptes pty ptys")
"""Abbreviations that may end a sentence, unless they are in capitals."""

ENDING_CAPITALISED = _words("ark az del ill la mass miss ore pa tex wash")
"""Abbreviations that may end a sentence, only if capitalised; in lower case these are words."""

LEADING = _words(
    "adj adm adv alex assoc asst atty attys ave brig capt cf cie cmdr col comdr cpl dept det dr drs elec ens ft gen "
    "gov govs hon insp invt jos lieut lt maj messrs mlle mme mr mrs ms msgr mt natl pfc ph pres prof profs pvt rep "
    "reps rev sen sens sfc sgt spc st ste supt supts treas vs wm"
)
"""Abbreviations that precede other words and never end a sentence."""

LEADING_UNLESS_CAPITALS = _words("mfg mtg")
"""Abbreviations that never end a sentence, unless they are in capitals."""

BEFORE_NUMBER = _words("art ca fig figs no nos op p pp prop")
"""Abbreviations only before a number: `no. 5`."""

SENTENCE_STARTERS = _words(
    "about according additionally after an as at a but earlier he her here however if in it last many more now once "
    "one other our she since so some such that the their then there these they this we what when while yet you mr. ms."
)
"""After initials, these words with a capital start a new sentence."""

FILE_EXTENSIONS = _words(
    "bat bmp c cgi cpp dll doc docx exe gif gz h htm html jar java jpeg jpg mov mp3 pdf php pl png ppt ps py sql tar "
    "txt wav x xml zip"
)
"""The extensions of file names."""

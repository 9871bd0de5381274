"""The words whose full stop belongs to them, as the Penn Treebank tokeniser knows them; all in any case of letters."""

ENDING = (
    "al ala apr ariz assn aug bhd bldg blvd bros calif co colo conn corp cos ct dak dec esq est etc ext feb fla fri "
    "ga inc ind intl jan jr jul jun kan kans ky ltd mar md mich minn mo mon mont neb nev nov oct okla penn ph.d plc "
    "rd rt sep sept seq sq sr sys tel tenn thu thurs tue tues univ va vt wed wis wisc wyo"
).split()
"""May end a sentence; the full stop is then a token besides."""

ENDING_UNLESS_CAPITALS = "ppte pptes ppty pptys pte ptes pty ptys".split()
"""May end a sentence too, and are no abbreviations in capitals throughout."""

ENDING_CAPITALISED = "ark az del ill la mass miss ore pa tex wash".split()
"""May end a sentence too, and are abbreviations with a capital only, for they are words without one."""

LEADING = (
    "adj adm adv alex assoc asst atty attys ave brig capt cf cie cmdr col comdr cpl dept det dr drs elec ens ft gen "
    "gov govs hon insp invt jos lieut lt maj messrs mlle mme mr mrs ms msgr mt natl pfc ph pres prof profs pvt rep reps "
    "rev sen sens sfc sgt spc st ste supt supts treas vs wm"
).split()
"""Stand before something else and never end a sentence."""

LEADING_UNLESS_CAPITALS = "mfg mtg".split()
"""Never end a sentence either, and are no abbreviations in capitals throughout."""

BEFORE_NUMBER = "art ca fig figs no nos op p pp prop".split()
"""Abbreviations only where a number follows: `no. 5`."""

SENTENCE_STARTERS = (
    "about according additionally after an as at a but earlier he her here however if in it last many more now once one "
    "other our she since so some such that the their then there these they this we what when while yet you mr. ms."
).split()
"""After initials, these words with a capital start a new sentence."""

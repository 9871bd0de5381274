"""Grammaticality according to the English Resource Grammar, if it is installed.

This needs the extra `erg` (pydelphin), the program ACE and a grammar image compiled for this version of ACE. ACE and
the images are not part of Accordance; they are available at https://sweaglesw.org/linguistics/ace/.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path

from captioning.worlds.errors import MissingGrammar
from captioning.worlds.language.grammar import tokenize_sentence, write_sentence
from metrics_plugins.api.resources import install_extras

_SOURCE = "https://sweaglesw.org/linguistics/ace/"


def count_erg_readings(captions: Iterable[str], *, image: Path, executable: str = "ace") -> list[int]:
    """Return for each caption 1 if the grammar has a reading of it, else 0 (ungrammatical).

    Parameters
    ----------
    captions : iterable of str
        Captions as tokens or as sentences.
    image : Path
        A grammar image compiled for this version of ACE, such as erg-2023-x86-64.dat.
    executable : str
        The name or the path of the program.

    Raises
    ------
    MissingGrammar
        If pydelphin, ACE or the image is missing; the message says which, and where to get it.
    """
    try:
        from delphin import ace
    except ImportError as error:
        raise MissingGrammar(
            f"grammaticality by the English Resource Grammar needs pydelphin: {install_extras('erg')}"
        ) from error
    program = shutil.which(executable)
    if program is None:
        raise MissingGrammar(f"the program {executable!r} (ACE) is not on this machine; it is at {_SOURCE}")
    if not image.is_file():
        raise MissingGrammar(f"{image}: no such grammar image; images of the grammar are at {_SOURCE}")
    with ace.ACEParser(image, cmdargs=["-n", "1"], executable=program) as parser:
        sentences = (write_sentence(tokenize_sentence(caption)) for caption in captions)
        return [len(parser.interact(sentence).results()) for sentence in sentences]

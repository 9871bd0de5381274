"""Grammaticality by the English Resource Grammar, where a user has it.

It needs the extra `erg` (pydelphin), the program ACE and a grammar image compiled for that ACE. None of them comes with
Accordance: ACE and images are at https://sweaglesw.org/linguistics/ace/.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path

from captioning.worlds.errors import MissingGrammar
from captioning.worlds.language.grammar import tokenize_sentence, write_sentence

_SOURCE = "https://sweaglesw.org/linguistics/ace/"


def count_erg_readings(captions: Iterable[str], *, image: Path, executable: str = "ace") -> list[int]:
    """Return the number of readings that the grammar gives each caption (at most one is asked for); 0: ungrammatical.

    Parameters
    ----------
    captions : iterable of str
        As tokens or as sentences.
    image : Path
        A grammar image compiled for this ACE, such as erg-2023-x86-64.dat.
    executable : str
        The program, by name or path.

    Raises
    ------
    MissingGrammar
        If pydelphin, ACE or the image is not there; the message says which and where it comes from.
    """
    try:
        from delphin import ace
    except ImportError as error:
        raise MissingGrammar(
            "grammaticality by the English Resource Grammar needs pydelphin: pip install 'accordance[erg]'"
        ) from error
    program = shutil.which(executable)
    if program is None:
        raise MissingGrammar(f"the program {executable!r} (ACE) is not on this machine; it is at {_SOURCE}")
    if not image.is_file():
        raise MissingGrammar(f"{image}: no such grammar image; images of the grammar are at {_SOURCE}")
    with ace.ACEParser(image, cmdargs=["-n", "1"], executable=program) as parser:
        sentences = (write_sentence(tokenize_sentence(caption)) for caption in captions)
        return [len(parser.interact(sentence).results()) for sentence in sentences]

"""What is stored with captions about the captioner that wrote them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from captioning.api import Captioner, Decoding
from captioning.runtime.trained import CARD, digest_folder, read_card


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionerRecord:
    """Everything that captions depend on besides the images.

    Attributes:
        captioner: The id of the captioner.
        title: Its name as printed in papers.
        version: Its version.
        citation: The paper that defines it.
        decoding: The settings of decoding, as `Decoding.parse` reads them; empty for a captioner that does not decode.
        n_captions: The number of captions of an image.
        seed: The seed.
        parameters: What the captioner tells by `describe`; a name that is also a field of the record, such as the seed
            of a training, has the prefix `training_`.
        digest: A hash of the files that a trained captioner or model is read from; empty without a folder.
        note: The remark of the training data, such as "text-conditioned"; empty if none.
    """

    captioner: str
    title: str
    version: str
    citation: str
    decoding: str
    n_captions: int
    seed: int
    parameters: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    digest: str = ""
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        return asdict(self)

    def __str__(self) -> str:
        """Return the record in one line: `att2in|v:1|decoding:beam|n:1|seed:0|hidden:512|digest:0123456789ab`."""
        named = {"v": self.version, "decoding": self.decoding, "n": self.n_captions, "seed": self.seed}
        shown = {**named, **self.parameters, "digest": self.digest, "note": self.note}
        return "|".join([self.captioner, *(f"{name}:{value}" for name, value in shown.items() if value != "")])


def make_record(
    captioner: Captioner, *, n: int, decoding: Decoding | None, seed: int, folder: Path | None = None
) -> CaptionerRecord:
    """Return the record of captions that `run_captioner` writes with these arguments."""
    info = captioner.info
    fields = CaptionerRecord.__dataclass_fields__
    described = {f"training_{name}" if name in fields else name: value for name, value in captioner.describe().items()}
    return CaptionerRecord(
        captioner=info.id,
        title=info.title,
        version=info.version,
        citation=info.citation,
        decoding=str(decoding or captioner.default_decoding) if info.can_score else "",
        n_captions=n,
        seed=seed,
        parameters=described,
        digest=digest_folder(folder) if folder else "",
        note=read_card(folder).note if folder and (folder / CARD).is_file() else "",
    )

"""Folders of sentence-transformers models, which contain a transformer, its pooling and its maximum length."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.weights import WEIGHTS, read_json, read_json_list, require_files

Pooling: TypeAlias = Literal["mean", "cls"]

_PARTS: Final = ("Transformer", "Pooling", "Normalize")


@dataclass(frozen=True, slots=True)
class SentenceFolder:
    """A transformer, and the pooling of its token vectors to a sentence vector.

    Attributes:
        transformer: The folder with `config.json`, `model.safetensors` and `tokenizer.json`.
        pooling: The mean of all token vectors, or the first one.
        normalizes: Whether sentence vectors are normalised to length 1.
        max_tokens: Longer texts are truncated to this number of tokens, including special ones.
        lowercases: Whether texts are lower-cased before they are tokenised.
        dimension: The length of a vector.
    """

    transformer: Path
    pooling: Pooling
    normalizes: bool
    max_tokens: int
    lowercases: bool
    dimension: int

    @property
    def files(self) -> tuple[Path, ...]:
        """The files on which the vectors depend."""
        return tuple(self.transformer / name for name in ("config.json", "tokenizer.json", WEIGHTS))


def read_sentence_folder(folder: Path) -> SentenceFolder:
    """Read a folder with `modules.json` of sentence-transformers, or with only a transformer (mean pooling).

    Raises:
        MissingResource: A file is missing.
        MetricError: A file is damaged, or requires an unsupported module or pooling.
    """
    listed = folder / "modules.json"
    modules = {_name_part(entry, listed): folder / str(entry.get("path", "")) for entry in _list_modules(listed)}
    if any(not part.resolve().is_relative_to(folder.resolve()) for part in modules.values()):
        raise MetricError(f"{listed}: parts must lie in its folder")
    transformer = modules.get("Transformer", folder)
    require_files(transformer, ("config.json", "tokenizer.json", WEIGHTS), wanted_for=f"the encoder {folder}")
    config = read_json(transformer / "config.json")
    limits = transformer / "sentence_bert_config.json"
    settings = read_json(limits) if limits.is_file() else {}
    return SentenceFolder(
        transformer=transformer,
        pooling=_read_pooling(modules["Pooling"] / "config.json") if "Pooling" in modules else "mean",
        normalizes="Normalize" in modules,
        max_tokens=int(settings.get("max_seq_length") or config.get("max_position_embeddings") or 512),
        lowercases=bool(settings.get("do_lower_case", False)),
        dimension=_read_dimension(config, transformer / "config.json"),
    )


def _list_modules(listed: Path) -> list[dict[str, Any]]:
    return read_json_list(listed) if listed.is_file() else []


def _name_part(entry: dict[str, Any], listed: Path) -> str:
    part = str(entry.get("type", "")).rpartition(".")[2]
    if part not in _PARTS:
        raise MetricError(f"{listed}: parts must be {', '.join(_PARTS)}, got {entry.get('type')!r}")
    return part


def _read_pooling(path: Path) -> Pooling:
    config = read_json(path)
    # Before version 6 sentence-transformers stored a flag for each mode, since then a single name.
    chosen = {
        name.removeprefix("pooling_mode_").removesuffix("_tokens").removesuffix("_token")
        for name, value in config.items()
        if name.startswith("pooling_mode_") and value is True
    }
    if isinstance(config.get("pooling_mode"), str):
        chosen.add(config["pooling_mode"])
    if chosen == {"mean"}:
        return "mean"
    if chosen == {"cls"}:
        return "cls"
    raise MetricError(f"{path}: pooling must be 'mean' or 'cls', got {', '.join(sorted(chosen)) or 'none'}")


def _read_dimension(config: dict[str, Any], path: Path) -> int:
    # DistilBERT calls it `dim`.
    size = config.get("hidden_size", config.get("dim"))
    if not isinstance(size, int):
        raise MetricError(f"{path}: 'hidden_size' must be a whole number, got {size!r}")
    return size

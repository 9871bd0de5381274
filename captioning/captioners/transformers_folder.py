"""`transformers`: any model of transformers that maps an image to text, from a local folder."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from captioning.api import (
    BuildContext,
    CaptionBatch,
    Captioner,
    CaptionerError,
    CaptionerInfo,
    CaptionScores,
    Decoding,
    ImageInput,
    Images,
    MissingResource,
)
from metrics_plugins.api import MetricError
from metrics_plugins.encoders.weights import check_safetensors, find_package, read_json

if TYPE_CHECKING:
    import torch

AT_ONCE: Final = 16
# Models that end captions with the separator of their tokenizer rather than with its end token.
_ENDS_WITH_SEPARATOR: Final = frozenset({"blip"})


@dataclass(frozen=True, slots=True, eq=False)
class _Loaded:
    model: Any
    tokenizer: Any
    processor: Any
    end: int
    pad: int


class TransformersCaptioner(Captioner):
    """Captions image files with a model in the format of transformers, such as BLIP, GIT or an encoder-decoder.

    The folder must hold the model's config.json, its weights as safetensors, its tokenizer and its image processor.
    Nothing is fetched, and no code of the folder is run. `Decoding.max_words` limits the tokens of the model, which may
    be parts of words. Beam search compares sums of log-probabilities, without a length penalty. `diverse-beam` is not
    available, since transformers has it only as code to be fetched. Probabilities are those of the model's own tokens;
    `score` tokenizes a caption anew, which for a sampled caption may give other tokens, and thus another probability,
    than those that were drawn.
    """

    info = CaptionerInfo(
        id="transformers",
        title="Image-to-text model of transformers",
        inputs=frozenset({ImageInput.FILES}),
        version="1",
        citation="Wolf et al.: Transformers: State-of-the-Art Natural Language Processing (2020)",
        is_random=True,
        can_score=True,
    )

    def __init__(self, folder: Path, *, device: str) -> None:
        self.folder = folder
        self.device = device
        self._kind = _check_folder(folder)
        self._loaded: _Loaded | None = None

    @classmethod
    def build(cls, context: BuildContext, *, folder: Path | None = None) -> Self:
        if folder is None:
            raise CaptionerError(f"captioner {cls.info.id!r} needs the folder of a model")
        return cls(folder, device=context.device)

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"_loaded": None}

    def describe(self) -> Mapping[str, str | int | float | bool]:
        return {"model": self._kind}

    def caption(
        self, images: Images, *, n: int = 1, decoding: Decoding | None = None, rng: np.random.Generator
    ) -> CaptionBatch:
        import torch

        chosen = decoding or self.default_decoding
        settings = _make_settings(chosen, n=n)
        captions: list[tuple[str, ...]] = []
        values: list[list[float]] = []
        seed = int(rng.integers(2**31))
        # transformers draws from the global generator only.
        with torch.random.fork_rng(devices=[self.device] if self.device.startswith("cuda") else []):
            torch.manual_seed(seed)
            for part in _cut(images):
                generated, tokens, log_probabilities = self._generate(part, **settings)
                texts = self._load().tokenizer.batch_decode(tokens, skip_special_tokens=True)
                lines = [" ".join(text.split()) for text in texts]
                captions += [tuple(lines[start : start + n]) for start in range(0, generated, n)]
                values += log_probabilities.reshape(-1, n).tolist()
        return CaptionBatch(images.keys, tuple(captions), np.array(values, dtype=np.float64).reshape(len(images), n))

    def score(self, images: Images, captions: Sequence[str]) -> CaptionScores:
        if len(images) != len(captions):
            raise CaptionerError(f"there must be one caption for each image, got {len(captions)} for {len(images)}")
        loaded = self._load()
        targets = [[*loaded.tokenizer(text, add_special_tokens=False)["input_ids"], loaded.end] for text in captions]
        values: list[float] = []
        for part in _cut(images):
            own = targets[len(values) : len(values) + len(part)]
            forced = _Forced(own, pad=loaded.pad)
            _, _, found = self._generate(
                part, max_new_tokens=max(map(len, own)), num_beams=1, do_sample=False, prefix_allowed_tokens_fn=forced
            )
            values += found.tolist()
        return CaptionScores(np.array(values), np.array([len(own) for own in targets], dtype=np.int64))

    def _generate(self, images: Images, **settings: Any) -> "tuple[int, torch.Tensor, torch.Tensor]":
        """Return the number of captions, their tokens, and the log-probability of each."""
        import torch
        import transformers

        loaded = self._load()
        known = loaded.model.generation_config
        rules = {name: settings.pop(name) for name in ("prefix_allowed_tokens_fn",) if name in settings}
        # Nothing but the tokens is taken from the folder, so that the decoding is the one that is recorded.
        make_config: Any = transformers.GenerationConfig
        config = make_config(
            bos_token_id=known.bos_token_id,
            decoder_start_token_id=known.decoder_start_token_id,
            eos_token_id=loaded.end,
            pad_token_id=loaded.pad,
            return_dict_in_generate=True,
            output_logits=True,
            **settings,
        )
        with torch.inference_mode():
            made = loaded.model.generate(
                pixel_values=self._read(images).to(self.device), generation_config=config, **rules
            )
            tokens = made.sequences
            beams = getattr(made, "beam_indices", None)
            if beams is not None:
                return len(tokens), tokens, _sum_beams(made)
            steps = torch.stack(made.logits, dim=1).float().log_softmax(dim=2)
            own = tokens[:, tokens.shape[1] - steps.shape[1] :]
            chosen = steps.gather(2, own.unsqueeze(2)).squeeze(2)
            # Up to and including the first end.
            ended = (own == loaded.end).long().cumsum(dim=1)
            counts = (ended == 0) | ((own == loaded.end) & (ended == 1))
            return len(tokens), own, torch.where(counts, chosen, 0.0).double().sum(dim=1).cpu()

    def _read(self, images: Images) -> "torch.Tensor":
        from PIL import Image, UnidentifiedImageError

        images.require(self.info.inputs, reader=f"captioner {self.info.id!r}")
        pictures = []
        for key, path in zip(images.keys, images.files or (), strict=True):
            try:
                with Image.open(path) as picture:
                    pictures.append(picture.convert("RGB"))
            except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
                raise CaptionerError(f"image {key!r}: {path} cannot be read as an image: {error}") from error
        pixels: torch.Tensor = self._load().processor(images=pictures, return_tensors="pt")["pixel_values"]
        return pixels

    def _load(self) -> _Loaded:
        if self._loaded is None:
            self._loaded = _load_model(self.folder, kind=self._kind, device=self.device)
        return self._loaded


class _Forced:
    """Allows only the next token of a given caption; the interface of transformers for constrained generation."""

    def __init__(self, targets: Sequence[Sequence[int]], *, pad: int) -> None:
        self._targets = targets
        self._pad = pad
        self._n_given: int | None = None

    def __call__(self, row: int, tokens: "torch.Tensor") -> list[int]:
        if self._n_given is None:
            self._n_given = len(tokens)
        place, target = len(tokens) - self._n_given, self._targets[row]
        return [target[place]] if place < len(target) else [self._pad]


def _sum_beams(made: Any) -> "torch.Tensor":
    """Return the log-probability of each hypothesis, following each through the beams that it was in."""
    import torch

    beams = made.beam_indices
    n_steps = beams.shape[1]
    tokens = made.sequences[:, made.sequences.shape[1] - n_steps :] if n_steps else made.sequences[:, :0]
    total = torch.zeros(len(beams), dtype=torch.float64)
    for step in range(min(n_steps, len(made.logits))):
        values = made.logits[step].float().log_softmax(dim=1)
        rows = beams[:, step]
        found = values[rows.clamp(min=0), tokens[:, step]]
        total += torch.where(rows >= 0, found, 0.0).double().cpu()
    return total


def _make_settings(decoding: Decoding, *, n: int) -> dict[str, Any]:
    if decoding.method == "greedy" and n != 1:
        raise CaptionerError(f"greedy decoding gives one caption of an image, asked for {n}")
    if decoding.method == "beam" and n > decoding.beam_size:
        raise CaptionerError(f"beam search gives at most {decoding.beam_size} captions of an image, asked for {n}")
    if decoding.method == "diverse-beam":
        raise CaptionerError("captioner 'transformers' has no diverse-beam; use greedy, beam or sample")
    common = {"max_new_tokens": decoding.max_words, "num_return_sequences": n}
    own: dict[str, dict[str, Any]] = {
        "greedy": {"do_sample": False, "num_beams": 1},
        "beam": {"do_sample": False, "num_beams": decoding.beam_size, "length_penalty": 0.0},
        "sample": {
            "do_sample": True,
            "num_beams": 1,
            "temperature": decoding.temperature,
            "top_k": decoding.top_k,
            "top_p": decoding.top_p,
        },
    }
    return common | own[decoding.method]


def _cut(images: Images) -> Iterator[Images]:
    for start in range(0, len(images), AT_ONCE):
        yield images.select(range(start, min(start + AT_ONCE, len(images))))


def _check_folder(folder: Path) -> str:
    """Return the type of the model in a folder, after checks that need neither torch nor transformers."""
    if not folder.is_dir():
        raise MissingResource(f"captioner 'transformers' needs the folder of a model, but {folder} is not there")
    if not (folder / "config.json").is_file():
        raise MissingResource(f"captioner 'transformers' needs config.json in {folder}")
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        hint = ""
        if any(folder.glob("*.bin")):
            hint = "; pickled weights are not read, because they can run anything: save them as safetensors"
        raise MissingResource(f"captioner 'transformers' needs weights as *.safetensors in {folder}{hint}")
    try:
        for package in ("torch", "transformers", "safetensors"):
            find_package(package, wanted_for="captioner 'transformers'")
        for path in weights:
            check_safetensors(path)
        return str(read_json(folder / "config.json").get("model_type", "unknown"))
    except MetricError as error:
        raise MissingResource(str(error)) from error


def _load_model(folder: Path, *, kind: str, device: str) -> _Loaded:
    import transformers

    # Any: transformers has few types.
    library: Any = transformers
    given: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        model = library.AutoModelForImageTextToText.from_pretrained(str(folder), use_safetensors=True, **given)
        tokenizer = library.AutoTokenizer.from_pretrained(str(folder), **given)
        processor = library.AutoImageProcessor.from_pretrained(str(folder), **given)
    except Exception as error:  # transformers raises many types for a folder that it cannot use
        raise CaptionerError(
            f"{folder}: transformers cannot open this {kind} model as an image-to-text model with its tokenizer and "
            f"image processor: {' '.join(str(error).split())[:300]}"
        ) from error
    end = tokenizer.sep_token_id if kind in _ENDS_WITH_SEPARATOR else _find_first(model.generation_config.eos_token_id)
    end = tokenizer.eos_token_id if end is None else end
    if end is None:
        raise CaptionerError(f"{folder}: the model has no token that ends a caption")
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else end
    return _Loaded(model.to(device).eval(), tokenizer, processor, end=int(end), pad=int(pad))


def _find_first(tokens: list[int] | int | None) -> int | None:
    return tokens[0] if isinstance(tokens, list) else tokens

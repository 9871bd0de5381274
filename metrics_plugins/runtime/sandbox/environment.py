"""What a plugin's process finds in its environment: what programs need to run, and no secret of the server."""

from collections.abc import Mapping
from typing import Final

EXTRA_VARIABLE: Final = "ACCORDANCE_PLUGIN_ENVIRONMENT"
"""Names further variables, apart by commas, that plugins need: the key of a service that a metric asks."""

# Listed and not left out: what a later setting is called, or another program's, nobody here knows.
KEPT: Final = frozenset(
    {
        # Where programs, libraries, caches and temporary files are.
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "TMPDIR",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "VIRTUAL_ENV",
        "JAVA_HOME",
        # Language and time.
        "LANG",
        "LANGUAGE",
        "TZ",
        # How Python behaves.
        "PYTHONHASHSEED",
        "PYTHONUTF8",
        "PYTHONWARNINGS",
        "PYTHONDONTWRITEBYTECODE",
        # Where models and word lists lie.
        "HF_HOME",
        "HF_HUB_OFFLINE",
        "TRANSFORMERS_OFFLINE",
        "TRANSFORMERS_CACHE",
        "SENTENCE_TRANSFORMERS_HOME",
        "TORCH_HOME",
        "NLTK_DATA",
        "TOKENIZERS_PARALLELISM",
        "ACCORDANCE_CACHE",
        "ACCORDANCE_CLIP",
        "ACCORDANCE_EMBEDDINGS",
    }
)
KEPT_BEGINNINGS: Final = ("LC_", "OMP_", "MKL_", "OPENBLAS_", "NUMEXPR_", "CUDA_", "CUBLAS_", "NVIDIA_", "PYTORCH_")
"""Of names: the language, and how libraries compute and on which device."""


def make_environment(own: Mapping[str, str], *, search_path: str) -> dict[str, str]:
    """Return the environment of a plugin's process.

    Args:
        own: The environment of the process that starts it.
        search_path: Where it finds modules, as `PYTHONPATH` says it.
    """
    extra = {name.strip() for name in own.get(EXTRA_VARIABLE, "").split(",")}
    kept = {
        name: value for name, value in own.items() if name in KEPT or name in extra or name.startswith(KEPT_BEGINNINGS)
    }
    return kept | {"PYTHONPATH": search_path}

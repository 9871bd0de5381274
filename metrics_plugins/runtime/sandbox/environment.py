"""The environment variables of a plugin's process: those that programs need, without the server's secrets."""

from collections.abc import Mapping
from typing import Final

EXTRA_VARIABLE: Final = "ACCORDANCE_PLUGIN_ENVIRONMENT"
"""Lists further variables, separated by commas, that plugins need, such as the API key of a service."""

# A list of allowed names, since the names of future or foreign secrets are unknown.
KEPT: Final = frozenset(
    {
        # Paths of programs, libraries, caches and temporary files.
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
        # Language and time zone.
        "LANG",
        "LANGUAGE",
        "LC_ALL",
        "LC_COLLATE",
        "LC_CTYPE",
        "LC_MESSAGES",
        "LC_NUMERIC",
        "LC_TIME",
        "TZ",
        # Python settings.
        "PYTHONHASHSEED",
        "PYTHONUTF8",
        "PYTHONWARNINGS",
        "PYTHONDONTWRITEBYTECODE",
        # Devices.
        "NVIDIA_DRIVER_CAPABILITIES",
        "NVIDIA_TF32_OVERRIDE",
        "NVIDIA_VISIBLE_DEVICES",
        # Folders of models and word lists.
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
KEPT_BEGINNINGS: Final = ("OMP_", "MKL_", "OPENBLAS_", "NUMEXPR_", "CUDA_", "CUBLAS_", "PYTORCH_")
"""Prefixes of allowed names: settings for numerical libraries and devices."""


def make_environment(own: Mapping[str, str], *, search_path: str) -> dict[str, str]:
    """Return the environment of a plugin's process.

    Args:
        own: The environment of the parent process.
        search_path: The value of `PYTHONPATH`.
    """
    extra = {name.strip() for name in own.get(EXTRA_VARIABLE, "").split(",")}
    kept = {
        name: value for name, value in own.items() if name in KEPT or name in extra or name.startswith(KEPT_BEGINNINGS)
    }
    return kept | {"PYTHONPATH": search_path}

"""Small wheels in a folder that pip reads instead of an index."""

import hashlib
import zipfile
from collections.abc import Sequence
from pathlib import Path


def write_wheel(folder: Path, name: str, *, version: str = "1.0", needs: Sequence[str] = ()) -> str:
    """Write a wheel with an empty module, and return its SHA-256."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    metadata = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nLicense: MIT"]
    metadata += [f"Requires-Dist: {each}" for each in needs]
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{name}.py", "")
        file.writestr(f"{info}/METADATA", "\n".join(metadata) + "\n")
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{info}/RECORD", "")
    return hashlib.sha256(path.read_bytes()).hexdigest()

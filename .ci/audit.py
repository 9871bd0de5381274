"""Looks every package of a file of requirements up in the advisory database of the Python Package Index.

It ends with 0 if all were looked up and nothing is known of any, 1 if something is known, and 75 (try again later)
where the database cannot be reached or does not know every package: then nothing is said to be safe.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SAFE, KNOWN, NOT_AUDITED = 0, 1, 75
_SECONDS = 300


def audit(requirements: Path) -> int:
    """Print what is known of the packages; return how to end."""
    program = [sys.executable, "-m", "pip_audit", "--requirement", str(requirements), "--require-hashes"]
    options = ["--disable-pip", "--progress-spinner", "off", "--format", "json"]
    try:
        done = subprocess.run([*program, *options], capture_output=True, text=True, check=False, timeout=_SECONDS)
        found = json.loads(done.stdout)["dependencies"]
    except subprocess.TimeoutExpired:
        return _refuse(f"the advisory database did not answer within {_SECONDS} seconds")
    except (json.JSONDecodeError, KeyError):
        lines = done.stderr.strip().splitlines()
        return _refuse(f"the advisory database cannot be reached: {lines[-1] if lines else 'no answer'}")
    return judge(found)


def judge(found: Sequence[Mapping[str, Any]]) -> int:
    """Print what pip-audit found of each package; return how to end."""
    # Where the index answers and its advisories do not, pip-audit passes packages over and ends as if all were well.
    skipped = [each for each in found if "skip_reason" in each]
    known = [(each, advisory) for each in found for advisory in each.get("vulns", ())]
    for each, advisory in known:
        fixed = ", ".join(advisory["fix_versions"]) or "no version"
        print(f"{each['name']} {each['version']}: {advisory['id']}, fixed in {fixed}")
    if known:
        return KNOWN
    if skipped or not found:
        return _refuse(
            f"the advisory database has no answer for {len(skipped)} of {len(found)} packages"
            + (f", the first: {skipped[0]['skip_reason']}" if skipped else "")
        )
    print(f"{len(found)} packages were looked up; nothing is known of any of them.")
    return SAFE


def _refuse(reason: str) -> int:
    print(f"NOT AUDITED: {reason}. Nothing is known of these packages, neither good nor bad.", file=sys.stderr)
    return NOT_AUDITED


if __name__ == "__main__":
    sys.exit(audit(Path(sys.argv[1])))

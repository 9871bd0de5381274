"""The versions of installed packages."""


def find_version(package: str) -> str:
    """Return the version of an installed package, "" if it is not installed; its modules are not imported."""
    # Takes milliseconds to import, which modules of metrics must not take.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""

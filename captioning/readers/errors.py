"""The error of unreadable files of images."""

from captioning.api import CaptionerError


class BadImageFile(CaptionerError):
    """A file or folder of images, features or objects is invalid; the message says which, the rule and what came."""

"""Readers of images from files: pictures, pixels, features, regions, objects, and captions of them."""

from captioning.readers.captioned import read_captioned
from captioning.readers.image_files import ImageSources, read_images

__all__ = ["ImageSources", "read_captioned", "read_images"]

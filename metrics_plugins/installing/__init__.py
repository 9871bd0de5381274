"""Installs what metrics need: packages at the tested versions with verified digests, and folders of weights."""

"""It wants a package nobody has."""

import a_package_that_nobody_has  # noqa: F401

"""What every test of an export has."""

from collections.abc import Iterator

import pytest

from tests.tools.debates import read


@pytest.fixture(scope="session", autouse=True)
def forget() -> Iterator[None]:
    """Forget the debates at the end, while the scripts of their rules can still be closed."""
    yield
    read.cache_clear()

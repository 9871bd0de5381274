import pytest
from hypothesis import settings

from correlation.protocols.inputs import JudgedPairs, RatedItems
from tests.correlation import shared_data

# A busy machine must not fail an example; speed has tests of its own.
settings.register_profile("correlation", deadline=None)
settings.load_profile("correlation")


@pytest.fixture(scope="session")
def flickr8k_expert() -> RatedItems:
    return shared_data.read_flickr8k_expert()


@pytest.fixture(scope="session")
def flickr8k_cf() -> RatedItems:
    return shared_data.read_flickr8k_cf()


@pytest.fixture(scope="session")
def pascal_50s() -> JudgedPairs:
    return shared_data.read_pascal_50s()


@pytest.fixture(scope="session")
def spice_u_pascal() -> JudgedPairs:
    return shared_data.read_spice_u_pascal()

import pytest

import supple


@pytest.fixture(scope="session")
def arm():
    return supple.examples.arm(700)


@pytest.fixture(scope="session")
def bent(arm):
    return arm.pose(bend={"forearm": 100})

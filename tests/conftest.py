"""What all tests share: hypothesis profiles, the data beside the repository, a browser."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["browser"]

# The same examples on every run; `--hypothesis-profile=thorough` draws many new ones.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", settings.get_profile("steady"), derandomize=False, max_examples=2000
)
settings.load_profile("steady")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Do not measure what property tests, contracts and tests of whole treebanks cover.

    They run the same lines very often. To measure them would double their time, and adds little.
    """
    for item in items:
        is_drawn = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        needs_data = "shared" in getattr(item, "fixturenames", ())
        if is_drawn or needs_data or {"property", "contract"} & {*item.path.parts}:
            item.add_marker(pytest.mark.no_cover)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of treebanks and facts beside the repository."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("there is no folder 'shared' beside the repository")
    return folder

"""Prints a lock of what the package is built with: exact versions, and hashes of all their files.

The hashes are those of every file of a release, for all platforms, so that one lock serves every
Python from 3.11 on and every system. `scripts/lock` writes it to requirements/build.lock. The
registry is the one that pip uses; the lock does not name it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import urllib.request
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any

from pip._internal.models.index import PyPI
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)

ROOT = Path(__file__).parents[1]
TOOLS = ("cmake", "ninja")
"""What scikit-build-core asks for while it builds, if the system has none."""

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = (("linux", "Linux"), ("darwin", "Darwin"), ("win32", "Windows"))
HEADER = """\
# What scripts/ builds the package with: exact versions, and the hashes of all their files.
# scripts/lock renews it. pip checks the hashes with --require-hashes.
"""


class Links(HTMLParser):
    """The links of a page of a registry: file names and their hashes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down a link that has a hash."""
        address = dict(attrs).get("href") or ""
        name, _, digest = address.partition("#sha256=")
        if tag == "a" and re.fullmatch("[0-9a-f]{64}", digest):
            self.found.append((name.rpartition("/")[2], digest))


def wanted() -> list[str]:
    """Return the requirements of a build, as pyproject.toml has them."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        settings = tomllib.load(file)
    tools = settings["project"]["optional-dependencies"]["test"]
    return [
        *settings["build-system"]["requires"],
        *(one for one in tools if Requirement(one).name in TOOLS),
    ]


def resolved(requirements: list[str]) -> list[dict[str, Any]]:
    """Return the metadata of the releases that pip would install."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--report", "-"]
    done = subprocess.run(
        [*command, "--ignore-installed", "--only-binary", ":all:", *requirements],
        check=True,
        stdout=subprocess.PIPE,
    )
    return [one["metadata"] for one in json.loads(done.stdout)["install"]]


def check_complete(found: list[dict[str, Any]]) -> None:
    """Fail if another Python or system needs something that is not locked."""
    names = {canonicalize_name(one["name"]) for one in found}
    for one, python, (platform, system) in product(found, PYTHONS, SYSTEMS):
        environment = {
            "python_version": python,
            "python_full_version": f"{python}.0",
            "sys_platform": platform,
            "platform_system": system,
            "os_name": "nt" if platform == "win32" else "posix",
            "extra": "",
        }
        for requirement in map(Requirement, one.get("requires_dist", ())):
            needed = requirement.marker is None or requirement.marker.evaluate(environment)
            if needed and canonicalize_name(requirement.name) not in names:
                sys.exit(f"{one['name']} needs {requirement} with Python {python} on {system}")


def registry() -> str:
    """Return the address of the registry that pip uses."""
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (os.environ.get("PIP_INDEX_URL") or done.stdout.strip() or PyPI.simple_url).rstrip("/")


def hashes(name: str, version: str) -> list[str]:
    """Return the hashes of all files of a release."""
    address = f"{registry()}/{canonicalize_name(name)}/"
    with urllib.request.urlopen(address, timeout=60) as answer:
        page = answer.read().decode()
    found = {digest for file, digest in Links(page).found if version_of(file) == version}
    if not found:
        sys.exit(f"the registry has no hashes for {name} {version}")
    return sorted(found)


def version_of(file: str) -> str:
    """Return the version in a file name; nothing if it is neither a wheel nor a source archive."""
    try:
        if file.endswith(".whl"):
            return str(parse_wheel_filename(file)[1])
        return str(parse_sdist_filename(file)[1])
    except (InvalidSdistFilename, InvalidWheelFilename):
        return ""


def main() -> None:
    """Print the lock."""
    found = sorted(resolved(wanted()), key=lambda one: canonicalize_name(one["name"]))
    check_complete(found)
    lines = [HEADER]
    for one in found:
        name, version = canonicalize_name(one["name"]), one["version"]
        entries = [f"{name}=={version}", *(f"    --hash=sha256:{h}" for h in hashes(name, version))]
        lines.append(" \\\n".join(entries) + "\n")
    sys.stdout.write("".join(lines))


if __name__ == "__main__":
    main()

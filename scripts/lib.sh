# Shared by the scripts beside it, which source it: where we are, what we need, private environments.
# shellcheck shell=bash
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"
export PIP_DISABLE_PIP_VERSION_CHECK=1
BUILD_LOCK=requirements/build.lock

say() { printf '\n== %s\n' "$*"; }

# The same, with the minutes and seconds since the start of the script.
stage() { say "$(printf '%s (%d:%02d)' "$*" $((SECONDS / 60)) $((SECONDS % 60)))"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# quoted WORD...: the words in one line that can be pasted into a shell: in quotes if they need them.
quoted() {
  local word line=""
  for word in "$@"; do
    if [[ $word =~ ^[[:alnum:]_./:=@%+,-]+$ ]]; then
      line+=" $word"
    elif [[ $word == *[\"\$\`\\!]* ]]; then
      line+=" $(printf %q "$word")"
    else
      line+=" \"$word\""
    fi
  done
  printf '%s\n' "${line# }"
}

# Prints the command, so that it can be pasted, and then runs it.
show() {
  printf '\n$ %s\n' "$(quoted "$@")"
  "$@"
}

# Sets PYTHON to a Python from 3.11 on; the variable may name one beforehand.
find_python() {
  local candidate
  for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      PYTHON=$candidate
      return
    fi
  done
  fail "Python 3.11 or newer is needed; none was found (set PYTHON to name one)"
}

need_compiler() {
  local candidate
  for candidate in ${CXX:-} c++ g++ clang++; do
    command -v "$candidate" >/dev/null && return
  done
  fail "a C++20 compiler is needed (g++ 11 or clang++ 16, or newer); none was found (set CXX to name one)"
}

# digest PATH...: one checksum of all files below the paths.
digest() {
  find "$@" -type f -not -name '*.py[co]' -exec cksum {} + | LC_ALL=C sort | cksum
}

# requirements GROUP...: what pyproject.toml asks for, one requirement on each line. A group is
# "base", "build" or the name of an extra.
requirements() {
  "$PYTHON" - "$@" <<'END'
import sys, tomllib

with open("pyproject.toml", "rb") as file:
    settings = tomllib.load(file)
groups = settings["project"]["optional-dependencies"] | {
    "base": settings["project"]["dependencies"],
    "build": settings["build-system"]["requires"],
}
for name in sys.argv[1:]:
    print(*(line for line in groups[name] if not line.startswith("crossbranch[")), sep="\n")
END
}

# environment FOLDER GROUP...: makes FOLDER a virtual environment with these requirements. One that
# already is stays as it is; one that was made for others, or by another Python, is made anew.
environment() {
  local folder=$1 key
  shift
  key="$("$PYTHON" -VV) $(requirements "$@") $(digest constraints.txt "$BUILD_LOCK")"
  [[ -f $folder/made-for && $(<"$folder/made-for") == "$key" ]] && return
  say "environment $folder"
  rm -rf "$folder"
  "$PYTHON" -m venv "$folder" || fail "'$PYTHON -m venv' failed (Debian: install python3-venv)"
  # The tools of a build come first, with the versions and hashes of the lock.
  if [[ " $* " == *" build "* ]]; then
    "$folder/bin/python" -m pip install --quiet --no-compile --require-hashes -r "$BUILD_LOCK"
  fi
  # Packages are compiled when they are first imported: compiling all of them takes a minute.
  requirements "$@" | "$folder/bin/python" -m pip install --quiet --no-compile -c constraints.txt -r /dev/stdin
  printf '%s' "$key" >"$folder/made-for"
}

# test_environment FOLDER: the environment of scripts/check and scripts/test. They share it, so that
# it is made once.
test_environment() {
  environment "$1" base build plot nltk png neural pretrained server client spacy ray recipes test check
}

# install_package FOLDER: builds a wheel of this tree into build/dist and installs it in an
# environment; one that has it already stays as it is. The tools of the build are those of the
# environment, which come from the lock.
install_package() {
  local folder=$1 key
  key=$(digest CMakeLists.txt LICENSE README.md core pyproject.toml src)
  [[ -d build/dist && -f $folder/installed && $(<"$folder/installed") == "$key" ]] && return
  say "the package, as a wheel in build/dist"
  rm -rf build/dist
  "$folder/bin/python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/dist .
  "$folder/bin/python" -m pip install --quiet --no-deps --force-reinstall build/dist/*.whl
  printf '%s' "$key" >"$folder/installed"
}

# install_strictly FOLDER: the same, but warnings of our own code are errors, and the tests of the core
# are built, too: so it is compiled once for both.
install_strictly() {
  SKBUILD_CMAKE_DEFINE="CROSSBRANCH_STRICT=ON;CROSSBRANCH_TESTS=ON" install_package "$1"
}

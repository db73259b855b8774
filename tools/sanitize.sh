#!/usr/bin/env bash
# Run the tests under a sanitizer: tools/sanitize.sh thread | address [PYTEST OPTIONS]
#
# thread: the C++ tests under ThreadSanitizer.
# address: the C++ tests and the Python suite under AddressSanitizer, with checks for undefined behaviour. The options
# go to pytest: without any, all tests run, which takes about half an hour on two cores.
set -euo pipefail

sanitizer=${1:?choose thread or address}
shift
root=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
PATH="$work/venv/bin:$PATH"
pip install --quiet --disable-pip-version-check cmake ninja

cmake -G Ninja -S "$root" -B "$work/cpp" -DSAPPER_MODULE=OFF -DSAPPER_TESTS=ON -DSAPPER_STRICT=ON \
    -DSAPPER_SANITIZE="$sanitizer" >/dev/null
cmake --build "$work/cpp"
ctest --test-dir "$work/cpp" --output-on-failure --parallel 2

if [ "$sanitizer" = address ]; then
    git clone --quiet "$root" "$work/sapper"
    cd "$work/sapper"
    SAPPER_REQUIRE_COMPILED=1 pip install --quiet --disable-pip-version-check --editable '.[dev]' \
        --config-settings=cmake.define.SAPPER_SANITIZE=address --config-settings=cmake.build-type=Debug
    # Python keeps memory until it exits, which is no leak. The stack of a child process is checked by its own.
    export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)" \
        python -m pytest -q -n 2 -p no:cacheprovider "$@"
fi

#!/usr/bin/env bash
# Run the tests under a sanitizer.
#
#   tools/sanitize.sh thread              C++ tests, Python tests of threads and a stress test of the Python
#                                         module under ThreadSanitizer
#   tools/sanitize.sh address             C++ tests and the whole Python suite under AddressSanitizer and
#                                         UndefinedBehaviorSanitizer
#   tools/sanitize.sh SANITIZER TEST ...  C++ tests and only these Python tests; the words go to pytest
#   tools/sanitize.sh SANITIZER --cpp     C++ tests only
#
# Environment variables, with which .ci/run shares work between its steps:
#   SANITIZE_PYTHON  a Python that has Sapper's development dependencies (default: a new environment)
#   SANITIZE_BUILD   where to build the C++ code (default: a temporary folder)
#   SANITIZE_CPP     which C++ tests to build and run, by name (default: all, and the fuzz target is built)
#
# It tests the last commit, in a clone, and removes everything that it made elsewhere.
set -euo pipefail

sanitizer=${1:-}
case $sanitizer in
    thread) library=libtsan.so ;;
    address) library=libasan.so ;;
    *)
        echo "usage: tools/sanitize.sh thread|address [--cpp | PYTEST OPTIONS]" >&2
        exit 2
        ;;
esac
shift
module=ON
if [ "${1:-}" = --cpp ]; then
    module=OFF
fi
root=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
build=${SANITIZE_BUILD:-$work/build}
cores=$(nproc)

git clone --quiet "$root" "$work/sapper"
cd "$work/sapper"

python=${SANITIZE_PYTHON:-}
if [ -z "$python" ]; then
    python3 -m venv "$work/base"
    python=$work/base/bin/python
    "$python" -m pip install --quiet --disable-pip-version-check --config-settings=wheel.cmake=false '.[dev]'
fi
PATH="$(dirname "$python"):$PATH"

# Debug keeps assertions and symbols; SAPPER_SANITIZE sets the level of optimisation.
cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=Debug -DSAPPER_SANITIZE="$sanitizer" -DSAPPER_STRICT=ON \
    -DSAPPER_TESTS=ON -DSAPPER_FUZZ=ON -DSAPPER_MODULE="$module" -DPython_EXECUTABLE="$python" \
    -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" >"$work/configure" || {
    cat "$work/configure"
    exit 1
}
if [ -n "${SANITIZE_CPP:-}" ]; then
    read -ra names <<<"$SANITIZE_CPP"
    cmake --build "$build" --target "${names[@]/#/test_}"
    ctest --test-dir "$build" --output-on-failure --parallel "$cores" --no-tests=error \
        --tests-regex "^($(IFS='|' && echo "${names[*]}"))\$"
else
    cmake --build "$build"
    ctest --test-dir "$build" --output-on-failure --parallel "$cores" --no-tests=error
fi
if [ "$module" = OFF ]; then
    exit
fi

# An environment with the dependencies of $python, the clone's package, and the module built above.
cmake --build "$build" --target _core
cp "$build"/_core.*.so src/sapper/
"$python" -m venv --without-pip "$work/venv"
packages=$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
{
    echo "$PWD/src"
    "$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
} >"$packages/sapper.pth"

# The sanitizer's library must be loaded first in every Python process, but in no other program, such as a
# browser. So the interpreter is a script that loads it, and Python drops the variable when it has started.
echo 'import os; os.environ.pop("LD_PRELOAD", None)' >"$packages/sitecustomize.py"
real=$(readlink -f "$work/venv/bin/python")
rm "$work/venv/bin/python"
cat >"$work/venv/bin/python" <<END
#!/usr/bin/env bash
export LD_PRELOAD="$(gcc -print-file-name="$library") $(gcc -print-file-name=libstdc++.so)"
exec -a "$work/venv/bin/python" "$real" "\$@"
END
chmod +x "$work/venv/bin/python"

# Python keeps memory until it exits, which is no leak. Every finding ends the process with code 99.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:exitcode=99
export UBSAN_OPTIONS=print_stacktrace=1
# Tests fork while other threads run. Python is not instrumented, so only the accesses of our module are seen.
export TSAN_OPTIONS=halt_on_error=1:exitcode=99:die_after_fork=0:ignore_noninstrumented_modules=1
export SAPPER_TEST_SLOWDOWN=10

"$work/venv/bin/python" -c 'import sapper; assert sapper.engine_name == "compiled", sapper.__file__'
if [ $# = 0 ] && [ "$sanitizer" = thread ]; then
    # The interval timer of the signal test fires faster than ThreadSanitizer lets its handler finish.
    set -- tests/engine/test_threads_and_signals.py tests/arena/test_experiments.py tests/env/test_vector_env.py \
        --deselect tests/engine/test_threads_and_signals.py::test_a_signal_handler_may_call_anything
    "$work/venv/bin/python" tests/support/stress_threads.py --seconds 60 --threads 8
fi
if [ "$sanitizer" = address ]; then
    # ms-toollib runs with a limit on its address space, of which AddressSanitizer reserves terabytes.
    set -- "$@" --ignore tests/formats/test_replays.py
fi
"$work/venv/bin/python" -m pytest -q -n "$cores" -p no:cacheprovider "$@"

#!/bin/sh
# One test of the Python package: run.sh PYTHON module|stubs|notebook|reference SOURCES. Exit code 77: what it needs is
# not installed.
set -eu
python=$1 test=$2 sources=$3

need() {
    for module; do
        "$python" -c "import $module" 2>/dev/null || { echo "skipped: $python has no $module (scripts/packages --tests)"; exit 77; }
    done
}
need numpy
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case $test in
    module)
        need pytest
        cd "$folder" && "$python" -m pytest -q -p no:cacheprovider "$sources"/tests/python/*_test.py ;;
    stubs)
        need mypy
        cd "$folder" && "$python" -m mypy --config-file "$sources/pyproject.toml" --cache-dir "$folder" --strict -p tailback && "$python" -m mypy.stubtest --mypy-config-file "$sources/pyproject.toml" --allowlist "$sources/tests/python/stubtest.allow" tailback ;;
    notebook)
        need nbconvert ipykernel pandas matplotlib
        cd "$folder" && "$python" -m jupyter nbconvert --to notebook --execute --output-dir "$folder" "$sources"/examples/notebook/*.ipynb ;;
    reference) "$python" "$sources/scripts/python-reference" --check ;;
esac

#!/bin/sh
# Runs the live test where there is a Python; without one it is skipped, or failed when TAILBACK_REQUIRE_LIVE=1.
if ! command -v python3 >/dev/null 2>&1; then
    echo "live test skipped: python3 not found"
    [ "$TAILBACK_REQUIRE_LIVE" = 1 ] && exit 1
    exit 77
fi
exec python3 "$(dirname "$0")/live_test.py" "$@"

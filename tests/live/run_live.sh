#!/bin/sh
# Runs a live test ($LIVE_TEST, that against OpenSM if unset) where there is a Python; without one it is skipped, or failed when TAILBACK_REQUIRE_LIVE=1.
if ! command -v python3 >/dev/null 2>&1; then
    echo "live test skipped: python3 not found"
    [ "$TAILBACK_REQUIRE_LIVE" = 1 ] && exit 1
    exit 77
fi
exec python3 "$(dirname "$0")/${LIVE_TEST:-live_test.py}" "$@"

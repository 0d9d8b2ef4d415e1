#!/bin/sh
# Installs the build into a folder that is thrown away, builds examples/library against it as a user would, and runs it.
# Usage: run.sh BUILD COMPILER
set -eu
build=$1 compiler=$2
sources=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --prefix "$folder/prefix" >/dev/null
cmake -S "$sources/examples/library" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/prefix" \
    -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
cmake --build "$folder/build" >/dev/null
fabric=$sources/examples/fat-tree-648
said=$("$folder/build/mean_bandwidth" "$fabric/ibnetdiscover.out.xz" "$fabric/opensm-lfts.dump.xz" 100)
echo "$said"
expected=$("$folder/prefix/bin/tailback" evaluate --network "$fabric/ibnetdiscover.out.xz" \
    --tables "$fabric/opensm-lfts.dump.xz" --pattern bisect --mappings 100 --format csv 2>/dev/null |
    sed -n 's/^hist_acc_band,mean,,//p')
[ "$said" = "648 ranks, 100 mappings: mean bandwidth $(printf %.6f "$expected") of a link" ] || {
    echo "the program says $expected"
    exit 1
}
hottest=$("$folder/build/hot_links" "$fabric/ibnetdiscover.out.xz" "$fabric/opensm-lfts.dump.xz" | head -1)
echo "$hottest"
largest=$("$folder/prefix/bin/tailback" audit --network "$fabric/ibnetdiscover.out.xz" \
    --tables "$fabric/opensm-lfts.dump.xz" --worst-case none --shifts none --format json 2>/dev/null |
    sed -n 's/.*"largest_between_switches": *\([0-9]*\).*/\1/p' | head -1)
case $hottest in
"$largest pairs: "*) ;;
*)
    echo "the program says $largest"
    exit 1
    ;;
esac
scored=$("$folder/build/own_search" "$fabric/ibnetdiscover.out.xz" "$fabric/opensm-lfts.dump.xz" tornado 40)
echo "$scored"
block=$("$folder/prefix/bin/tailback" evaluate --network "$fabric/ibnetdiscover.out.xz" \
    --tables "$fabric/opensm-lfts.dump.xz" --pattern tornado --ranks 40 --mapping block --metric sum_max_cong \
    --format csv 2>/dev/null | sed -n 's/^sum_max_cong,mean,,//p')
case $scored in
"block $(printf %.6f "$block"), found "*) ;;
*)
    echo "the program says $block"
    exit 1
    ;;
esac

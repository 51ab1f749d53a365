#!/usr/bin/env bash
# Installs what is missing, builds the program and runs a scene: the fingertip press unless another is named.
# usage: ./run.sh [--no-install] [SCENE] [options of `distal run`, for example --set body.finger.cell_size_m=0.002]
set -euo pipefail
cd "$(dirname "$0")"

scene=press
case "${1:-}" in
  -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
  --no-install) exec tools/install_dependencies.sh --no-install ;;
  "" | -*) ;;
  *) scene=$1; shift ;;
esac

# The last --out is the one that counts, as for the program.
out=out/$(basename "$scene" .toml)
named=false before=
for word in "$@"; do
  [ "$before" = --out ] && named=true out=$word
  case $word in --out=*) named=true out=${word#--out=} ;; esac
  before=$word
done

tools/install_dependencies.sh
# Tests need packages that a user does not: they are switched on by ./test.sh.
[ -f build/build.ninja ] || cmake --preset release -D DISTAL_TESTS=OFF -D DISTAL_BENCH=OFF
cmake --build build --target distal

$named || set -- --out "$out" "$@"
build/distal run "$scene" --force "$@"
echo
echo "The program is build/distal, the results are in $out: open $out/report.html"

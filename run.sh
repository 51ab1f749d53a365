#!/usr/bin/env bash
# Installs what is missing, builds the program and runs a scene: the fingertip press unless another is named.
# usage: ./run.sh [--no-install] [SCENE.toml] [options of `distal run`, for example --set body.finger.cell_size_m=0.002]
set -euo pipefail
cd "$(dirname "$0")"

scene=scenarios/press.toml
case "${1:-}" in
  -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
  --no-install) exec tools/install_dependencies.sh --no-install ;;
  *.toml) scene=$1; shift ;;
esac

tools/install_dependencies.sh
# Tests need packages that a user does not: they are switched on by ./test.sh.
[ -f build/build.ninja ] || cmake --preset release -D DISTAL_TESTS=OFF -D DISTAL_BENCH=OFF
cmake --build build --target distal

out=out/$(basename "$scene" .toml)
build/distal run "$scene" --out "$out" --force "$@"
echo
echo "The program is build/distal, the results are in $out: open $out/report.html"

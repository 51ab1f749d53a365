#!/usr/bin/env bash
# Makes docs/images/live_*.png: the live page, photographed by a browser without a window.
# usage: tools/make_screenshots.sh [PROGRAM]     (build/distal when not given; building it has fetched viewer/node_modules)
set -euo pipefail
cd "$(dirname "$0")/.."

program=${1:-build/distal}
[ -x "$program" ] || { echo "make_screenshots.sh: $program is missing: ./run.sh builds it" >&2; exit 1; }
scratch=$(mktemp -d)
"$program" view press_tilted --set run.duration_s=1000 --no-open --view-port 0 > "$scratch/address" 2> "$scratch/messages" &
viewing=$!
trap 'kill $viewing ${playing:-} 2> /dev/null || true; wait; rm -rf "$scratch"' EXIT
"$program" run lift_curved --set run.duration_s=0.75 --out "$scratch/bar" --quiet
"$program" view "$scratch/bar" --no-open --view-port 0 > "$scratch/address_of_bar" 2>> "$scratch/messages" &
playing=$!
until [ -s "$scratch/address" ] && [ -s "$scratch/address_of_bar" ]; do
  kill -0 $viewing $playing 2> /dev/null || { cat "$scratch/messages" >&2; exit 1; }
  sleep 0.2
done

mkdir -p docs/images
node viewer/tools/screenshots.js "$(head -1 "$scratch/address")" "$(head -1 "$scratch/address_of_bar")" docs/images
for picture in docs/images/live_*.png; do
  size=$(stat -c %s "$picture")
  [ "$size" -lt 300000 ] || { echo "make_screenshots.sh: $picture has $size bytes, more than 300000" >&2; exit 1; }
  echo "$picture: $size bytes"
done

#!/usr/bin/env bash
# Makes the pictures of docs/images that come from reports, photographed by a browser without a window: press.png, the
# snapshots of the fingertip press, and indent_cuboid.png, the cut through a block under weights.
# usage: tools/make_pictures.sh [PROGRAM]     (build/distal when not given)
set -euo pipefail
cd "$(dirname "$0")/.."

program=${1:-build/distal}
[ -x "$program" ] || { echo "make_pictures.sh: $program is missing: ./run.sh builds it" >&2; exit 1; }
browser=$(command -v chromium || command -v google-chrome) || { echo "make_pictures.sh: needs chromium" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p docs/images

# photograph SCENE MARK STYLE SIZE: of the page only what STYLE leaves; speed and other figures of this machine do not
# belong into documentation. MARK must be in the page.
photograph() {
  local scene=$1 mark=$2 style=$3 size=$4 picture=$PWD/docs/images/$1.png
  "$program" run "$scene" --out "$scratch/$scene" --quiet
  grep -q "$mark" "$scratch/$scene/report.html" || { echo "make_pictures.sh: the report has changed" >&2; exit 1; }
  sed "s|</head>|<style>main>*{display:none!important}$style</style></head>|" "$scratch/$scene/report.html" \
    > "$scratch/pictures.html"
  # Its own profile, so that no running browser is disturbed; files only, no network.
  "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --hide-scrollbars \
    --user-data-dir="$scratch/profile" --window-size="$size" --virtual-time-budget=2000 \
    --screenshot="$picture" "file://$scratch/pictures.html" > "$scratch/browser.log" 2>&1 ||
    { cat "$scratch/browser.log" >&2; exit 1; }
  local bytes
  bytes=$(stat -c %s "$picture")
  [ "$bytes" -lt 300000 ] || { echo "make_pictures.sh: $picture has $bytes bytes, more than 300000" >&2; exit 1; }
  echo "docs/images/$scene.png: $bytes bytes"
}

photograph press 'class="grid four"' \
  'main>.grid.four{display:grid!important}main>.grid.four~.grid.four{display:none!important}' 1200,475
photograph indent_cuboid 'Cut middle of block' 'main>figure{display:block!important}' 1200,640

#!/usr/bin/env bash
# Makes docs/images/press.png: the snapshots in the report of the fingertip press, photographed by a browser without a
# window.
# usage: tools/make_pictures.sh [PROGRAM]     (build/distal when not given)
set -euo pipefail
cd "$(dirname "$0")/.."

program=${1:-build/distal}
[ -x "$program" ] || { echo "make_pictures.sh: $program is missing: ./run.sh builds it" >&2; exit 1; }
browser=$(command -v chromium || command -v google-chrome) || { echo "make_pictures.sh: needs chromium" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$program" run press --out "$scratch/press" --quiet
mkdir -p docs/images
# Of the page only the pictures: speed and other figures of this machine do not belong into documentation.
sed 's|</head>|<style>main>*{display:none!important}main>.grid.four{display:grid!important}main>.grid.four~.grid.four{display:none!important}</style></head>|' \
  "$scratch/press/report.html" > "$scratch/pictures.html"
grep -q 'class="grid four"' "$scratch/pictures.html" || { echo "make_pictures.sh: the report has changed" >&2; exit 1; }
# Its own profile, so that no running browser is disturbed; files only, no network.
"$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --hide-scrollbars \
  --user-data-dir="$scratch/profile" --window-size=1200,475 --virtual-time-budget=2000 \
  --screenshot="$PWD/docs/images/press.png" "file://$scratch/pictures.html" > "$scratch/browser.log" 2>&1 ||
  { cat "$scratch/browser.log" >&2; exit 1; }

size=$(stat -c %s docs/images/press.png)
[ "$size" -lt 300000 ] || { echo "make_pictures.sh: docs/images/press.png has $size bytes, more than 300000" >&2; exit 1; }
echo "docs/images/press.png: $size bytes"

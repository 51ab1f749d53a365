#!/usr/bin/env bash
# Formats all C++ files in place; with --check only reports the ones that differ, and fails if there are any.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t files < <(find src apps tests bench examples clients -name '*.cpp' -o -name '*.hpp' | sort)
case "${1:-}" in
  "") clang-format-16 -i "${files[@]}" ;;
  --check)
    report=$(clang-format-16 --dry-run -Werror "${files[@]}" 2>&1) && exit 0
    echo "not formatted (tools/format.sh repairs it):"
    sed -nE 's/^([^:]+):[0-9]+:[0-9]+: error:.*/  \1/p' <<< "$report" | sort -u
    exit 1 ;;
  *) echo "usage: tools/format.sh [--check]" >&2; exit 2 ;;
esac

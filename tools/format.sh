#!/usr/bin/env bash
# Formats all C++ files in place; with --check only reports the ones that differ, and fails if there are any.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t files < <(find src apps tests bench examples -name '*.cpp' -o -name '*.hpp' | sort)
case "${1:-}" in
  "") clang-format-16 -i "${files[@]}" ;;
  --check)
    wrong=0
    for file in "${files[@]}"; do
      clang-format-16 --dry-run -Werror "$file" > /dev/null 2>&1 || { echo "not formatted: $file"; wrong=1; }
    done
    exit $wrong ;;
  *) echo "usage: tools/format.sh [--check]" >&2; exit 2 ;;
esac

#!/usr/bin/env bash
# Installs the Debian packages that Distal needs and that are missing.
# usage: tools/install_dependencies.sh [--tests] [--no-install]
#   --tests       also what only tests and benchmarks need
#   --no-install  print the command that would install, and change nothing
set -euo pipefail

build_packages=(g++ cmake ninja-build ccache pkg-config libeigen3-dev libfmt-dev nlohmann-json3-dev libcli11-dev
  libtomlplusplus-dev libhwy-dev libnlopt-dev liburdfdom-dev libboost-dev nodejs npm)
test_packages=(libgtest-dev libgmock-dev python3 chromium clang-16 libclang-rt-16-dev clang-format-16 libbenchmark-dev
  libbullet-dev libsiconos-numerics-dev tetgen gmsh)

packages=("${build_packages[@]}")
install=yes
for argument in "$@"; do
  case "$argument" in
    --tests) packages+=("${test_packages[@]}") ;;
    --no-install) install=no ;;
    *) echo "install_dependencies.sh: unknown argument '$argument'" >&2; exit 2 ;;
  esac
done

if ! command -v dpkg-query > /dev/null; then
  echo "This is not a Debian system; needed are the equivalents of: ${packages[*]}" >&2
  exit 0
fi

missing=()
installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${packages[@]}" 2> /dev/null || true)
# Node from elsewhere brings an npm of its own, and Debian's would not go with it.
command -v node > /dev/null && command -v npm > /dev/null && installed+=$'\nii  nodejs\nii  npm'
for package in "${packages[@]}"; do
  grep -qx "ii  $package" <<< "$installed" || missing+=("$package")
done

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get)

if [ $install = no ]; then
  if [ ${#missing[@]} = 0 ]; then
    echo "Nothing is missing. On a fresh machine the command would be:"
    missing=("${packages[@]}")
  fi
  echo "${apt[*]} install -y --no-install-recommends ${missing[*]}"
  exit 0
fi
[ ${#missing[@]} = 0 ] && exit 0

echo "Installing: ${missing[*]}"
if [ ${#as_root[@]} != 0 ] && ! command -v sudo > /dev/null; then
  echo "This needs root: as root, run apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 1
fi
"${apt[@]}" update -q
"${apt[@]}" install -y -q --no-install-recommends "${missing[@]}"

# Sourced by the scripts that install Debian packages and npm packages.

script=$(basename "$0" .sh)

installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "$script: packages are missing, and installing them needs root or sudo: $*" >&2
    exit 1
  fi
}

# install_missing PACKAGE...: needs root or sudo only where one of them is missing.
install_missing() {
  local missing=() package
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "$script: installing ${missing[*]}"
  if [ -z "${updated:-}" ]; then
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    updated=yes
  fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
}

# npm_packages FOLDER: what its lock file names, unless it is there.
npm_packages() {
  (cd "$1" && { npm ls --silent >/dev/null 2>&1 || npm ci --silent --no-audit --no-fund; })
}

# install_programs COMMAND[:PACKAGE]...: what is missing of them. Whoever has a Node.js from elsewhere has its npm too, and Debian's
# would be in its way.
install_programs() {
  local each packages=()
  for each in "$@"; do command -v "${each%%:*}" >/dev/null || packages+=("${each##*:}"); done
  install_missing "${packages[@]}"
}

# What drives the studio in a browser.
install_browser() {
  install_programs chromium node:nodejs npm
  npm_packages tests/browser
}

# The programs that read what Sinew writes.
install_clients() {
  install_programs blender node:nodejs npm
  # Blender's glTF importer needs numpy, which only a recommendation brings along.
  if ! blender -b --factory-startup --python-exit-code 1 --python-expr 'import numpy' >/dev/null 2>&1; then
    install_missing python3-numpy
  fi
}

# Sourced by the scripts that install Debian packages.

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

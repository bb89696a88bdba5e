#!/bin/sh
# Writes .env, which only its owner can read: .env.example with a random value of 32 bytes for each GENERATED. Never replaces .env.
set -eu
cd "$(dirname "$0")"
umask 077
if [ -e .env ]; then
  echo "There already is a .env. Move it elsewhere first." >&2
  exit 1
fi
while IFS= read -r line; do
  case $line in
    *=GENERATED) printf '%s=%s\n' "${line%=GENERATED}" "$(od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n')" ;;
    *) printf '%s\n' "$line" ;;
  esac
done < .env.example > .env
echo "Wrote .env. Replace its examples with your own values."

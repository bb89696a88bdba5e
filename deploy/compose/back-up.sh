#!/bin/sh
# Runs the product's backup commands: the records of erasures every hour, and everything at 3 o'clock (UTC). A failed backup is
# recorded in the database, and the console and the alert BackupOld report it.
cd /opt/coin || exit 1
coin() {
  node_modules/node/bin/node scripts/run.mjs "$@"
}
while :; do
  sleep $((3600 - $(date +%s) % 3600))
  coin backup erasures
  if [ "$(date -u +%H)" = 03 ]; then coin backup; fi
done

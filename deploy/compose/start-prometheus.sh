#!/bin/sh
# Prometheus reads the token from a file, not from the environment.
set -eu
umask 077
printf %s "$METRICS_TOKEN" > /prometheus/coin-site.token
exec prometheus --config.file=/etc/prometheus/prometheus.yml --storage.tsdb.path=/prometheus --storage.tsdb.retention.time=30d

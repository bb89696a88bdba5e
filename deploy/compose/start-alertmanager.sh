#!/bin/sh
# Alertmanager reads nothing from the environment, so its configuration is written from the settings at each start.
set -eu
umask 077
quoted() {
  printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"
}
cat > /alertmanager/alertmanager.yml <<END
route:
  receiver: email
  group_by: [alertname]
  repeat_interval: 12h
receivers:
  - name: email
    email_configs:
      - to: $(quoted "$ALERT_TO")
        from: $(quoted "$ALERT_FROM")
        smarthost: $(quoted "$ALERT_SERVER")
        auth_username: $(quoted "$ALERT_USER")
        auth_password: $(quoted "$ALERT_PASSWORD")
        send_resolved: true
END
exec alertmanager --config.file=/alertmanager/alertmanager.yml --storage.path=/alertmanager

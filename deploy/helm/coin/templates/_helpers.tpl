{{- define "coin.labels" -}}
app.kubernetes.io/name: coin
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: coin-{{ .Chart.Version }}
{{- end }}

{{- define "coin.selector" -}}
app.kubernetes.io/name: coin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "coin.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default (printf "v%s" .Chart.AppVersion) }}
{{- end }}

{{/* What every pod of the product has in common. */}}
{{- define "coin.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- end }}

{{/* What every container of the product has in common. */}}
{{- define "coin.container" -}}
image: {{ include "coin.image" . | quote }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ .Values.existingSecret | quote }} }
env:
  - { name: PUBLIC_URL, value: {{ printf "https://%s" .Values.host | quote }} }
{{- range $name, $value := .Values.settings }}
  - { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- if .Values.cloudnativepg.enabled }}
  - name: DATABASE_ADDRESS
    valueFrom: { secretKeyRef: { name: "{{ .Release.Name }}-database-app", key: uri } }
  - name: DATABASE_URL
    value: $(DATABASE_ADDRESS)?sslmode=verify-full&sslrootcert=/database-ca/ca.crt
{{- end }}
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- if .Values.cloudnativepg.enabled }}
  - { name: database-ca, mountPath: /database-ca, readOnly: true }
{{- end }}
{{- end }}

{{/* Space for uploads or dumps, and the certificate authority of the database. */}}
{{- define "coin.volumes" -}}
- { name: data, emptyDir: { sizeLimit: {{ .space }} } }
- { name: tmp, emptyDir: { sizeLimit: {{ .root.Values.temporarySpace }} } }
{{- if .root.Values.cloudnativepg.enabled }}
- name: database-ca
  secret: { secretName: "{{ .root.Release.Name }}-database-ca", items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- end }}

{{/* A pod that runs one command of the product and ends. */}}
{{- define "coin.command" -}}
restartPolicy: Never
{{ include "coin.pod" .root }}
containers:
  - name: {{ .name }}
    command: [/opt/coin/node_modules/node/bin/node, scripts/run.mjs]
    args: {{ toJson .args }}
    {{- include "coin.container" .root | nindent 4 }}
    resources:
      requests: { cpu: 100m, memory: 256Mi }
      limits: { memory: 1Gi }
volumes:
  {{- include "coin.volumes" . | nindent 2 }}
{{- end }}

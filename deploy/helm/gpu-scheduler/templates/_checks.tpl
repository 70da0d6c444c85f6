{{/* Refuses combinations of values that would not work, and names the value to change. */}}
{{- define "gpu-scheduler.checks" -}}
{{- $v := .Values -}}
{{- if gt (int $v.replicas) 1 -}}
  {{- if not $v.database.url -}}
    {{- fail "replicas: expected 1 with SQLite, because one process owns its files. Set database.url to use PostgreSQL, or replicas: 1" -}}
  {{- end -}}
  {{- if not (and $v.persistence.enabled (or $v.persistence.existingClaim (eq $v.persistence.accessMode "ReadWriteMany"))) -}}
    {{- fail "replicas: several pods need one volume, which holds the tokens of tenants. Set persistence.accessMode: ReadWriteMany (and a storageClass that has it), or replicas: 1" -}}
  {{- end -}}
{{- end -}}
{{- with $v.database.url -}}
  {{- $url := urlParse . -}}
  {{- if not (has $url.scheme (list "postgres" "postgresql")) -}}
    {{- fail (printf "database.url: expected postgresql://HOST:PORT/DATABASE, found a URL that starts with %q" $url.scheme) -}}
  {{- end -}}
  {{- if or (not $url.hostname) (eq (trimPrefix "/" $url.path) "") -}}
    {{- fail "database.url: expected postgresql://HOST:PORT/DATABASE with a host and the name of a database" -}}
  {{- end -}}
  {{- if $url.userinfo -}}
    {{- fail "database.url: expected no user and no password in it, because the URL is in a ConfigMap. Put them into a Secret and set database.existingSecret" -}}
  {{- end -}}
  {{- if not $v.database.existingSecret -}}
    {{- fail "database.existingSecret: expected the name of a Secret with the keys of database.usernameKey and database.passwordKey" -}}
  {{- end -}}
{{- end -}}
{{- $given := or $v.tls.certificate $v.tls.privateKey $v.tls.ca -}}
{{- if and $given (not (and $v.tls.certificate $v.tls.privateKey $v.tls.ca)) -}}
  {{- fail "tls: expected certificate, privateKey and ca together, as PEM texts; for a self-signed certificate ca is the certificate" -}}
{{- end -}}
{{- if gt (len (compact (list $v.tls.existingSecret (ternary "given" "" (not (empty $given))) (ternary "certManager" "" $v.tls.certManager.enabled)))) 1 -}}
  {{- fail "tls: expected only one of existingSecret, certificate with privateKey and ca, and certManager.enabled" -}}
{{- end -}}
{{- $tokens := or $v.tokens.admin $v.tokens.agent $v.tokens.gateway -}}
{{- if $tokens -}}
  {{- if $v.tokens.existingSecret -}}
    {{- fail "tokens: expected either existingSecret or the tokens themselves, found both" -}}
  {{- end -}}
  {{- if not (and $v.tokens.admin $v.tokens.agent) -}}
    {{- fail "tokens: expected admin and agent together; make each with: openssl rand -hex 32" -}}
  {{- end -}}
  {{- if and $v.gateway.enabled (not $v.tokens.gateway) -}}
    {{- fail "tokens.gateway: expected a token, because gateway.enabled is true; make one with: openssl rand -hex 32" -}}
  {{- end -}}
{{- end -}}
{{- if and $v.autoscaling.enabled (not $v.gateway.enabled) -}}
  {{- fail "autoscaling.enabled: expected gateway.enabled: true, because autoscaling is for the gateway; the scheduler has one active pod" -}}
{{- end -}}
{{- if and $v.gateway.ingress.enabled (not (and $v.gateway.enabled $v.gateway.ingress.host)) -}}
  {{- fail "gateway.ingress: expected gateway.enabled: true and gateway.ingress.host" -}}
{{- end -}}
{{- if and $v.operator.enabled (gt (int $v.operator.replicas) 1) (not $v.operator.leaderElection.enabled) -}}
  {{- fail "operator.replicas: expected 1 without operator.leaderElection.enabled, because two operators would both place pods" -}}
{{- end -}}
{{- if and $v.webhook.enabled (not $v.operator.enabled) -}}
  {{- fail "webhook.enabled: expected operator.enabled: true, because the operator serves the webhook" -}}
{{- end -}}
{{- $fixed := include "gpu-scheduler.fixedSettings" . | fromYaml -}}
{{- range $section, $value := $v.config.settings -}}
  {{- if hasKey $fixed $section -}}
    {{- $chart := get $fixed $section -}}
    {{- if not (kindIs "map" $chart) -}}
      {{- fail (printf "config.settings.%s: expected it to be absent, because the chart sets it to %v" $section $chart) -}}
    {{- end -}}
    {{- range $key, $_ := $value -}}
      {{- if hasKey $chart $key -}}
        {{- fail (printf "config.settings.%s.%s: expected it to be absent, because the chart sets it from other values" $section $key) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

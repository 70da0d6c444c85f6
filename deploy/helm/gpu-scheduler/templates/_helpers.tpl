{{/* The name of the chart, as a label. */}}
{{- define "gpu-scheduler.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of the scheduler's objects; other parts add a suffix of at most 10 characters. */}}
{{- define "gpu-scheduler.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* (root, component): the labels by which a Service or a Deployment selects its pods. */}}
{{- define "gpu-scheduler.selector" -}}
app.kubernetes.io/name: {{ include "gpu-scheduler.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* (root, component): the labels of an object. */}}
{{- define "gpu-scheduler.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "gpu-scheduler.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* (root, component, name, labels, annotations): the metadata of an object of the namespace. */}}
{{- define "gpu-scheduler.metadata" -}}
{{- $annotations := mergeOverwrite (deepCopy .root.Values.commonAnnotations) (default dict .annotations) -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "gpu-scheduler.labels" . | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* (root, image): the image of a part. */}}
{{- define "gpu-scheduler.image" -}}
{{- $usual := .root.Values.image -}}
{{- $registry := default $usual.registry .image.registry -}}
{{- $tag := default (default .root.Chart.AppVersion $usual.tag) .image.tag -}}
{{- with $registry }}{{ trimSuffix "/" . }}/{{ end }}{{ .image.repository }}:{{ $tag -}}
{{- end -}}

{{/* (root, account, suffix): the name of a part's service account. */}}
{{- define "gpu-scheduler.account" -}}
{{- $own := printf "%s%s" (include "gpu-scheduler.fullname" .root) .suffix -}}
{{- ternary (default $own .account.name) (default "default" .account.name) .account.create -}}
{{- end -}}

{{- define "gpu-scheduler.tlsSecret" -}}
{{- default (printf "%s-tls" (include "gpu-scheduler.fullname" .)) .Values.tls.existingSecret -}}
{{- end -}}

{{- define "gpu-scheduler.tokensSecret" -}}
{{- default (printf "%s-tokens" (include "gpu-scheduler.fullname" .)) .Values.tokens.existingSecret -}}
{{- end -}}

{{- define "gpu-scheduler.claim" -}}
{{- default (printf "%s-data" (include "gpu-scheduler.fullname" .)) .Values.persistence.existingClaim -}}
{{- end -}}

{{/* The host name of the scheduler's Service, as the certificate has it. */}}
{{- define "gpu-scheduler.host" -}}
{{ include "gpu-scheduler.fullname" . }}.{{ .Release.Namespace }}.svc
{{- end -}}

{{- define "gpu-scheduler.url" -}}
https://{{ include "gpu-scheduler.host" . }}:{{ .Values.service.httpPort }}
{{- end -}}

{{/* (root, part, component): where the pods of a part may run. */}}
{{- define "gpu-scheduler.scheduling" -}}
{{- with .part.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .part.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .part.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .part.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if .part.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- range .part.topologySpreadConstraints }}
  {{- $own := dict "labelSelector" (dict "matchLabels" (include "gpu-scheduler.selector" $ | fromYaml)) }}
  - {{ mergeOverwrite $own . | toYaml | nindent 4 | trim }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* (root, part, component, account): the head of a pod's spec. */}}
{{- define "gpu-scheduler.podHead" -}}
serviceAccountName: {{ .account }}
# Variables for Services of this namespace could be taken for settings.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .part.terminationGracePeriodSeconds }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .root.Values.podSecurityContext | nindent 2 }}
{{- with include "gpu-scheduler.scheduling" . | trim }}
{{ . }}
{{- end }}
{{- end -}}

{{/* (root, component, part, checksums): the metadata of a pod. */}}
{{- define "gpu-scheduler.podMetadata" -}}
{{- $annotations := mergeOverwrite (deepCopy (default dict .checksums)) .part.podAnnotations -}}
labels:
  {{- include "gpu-scheduler.selector" . | nindent 2 }}
  {{- with mergeOverwrite (deepCopy .root.Values.commonLabels) .part.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* (root, part, image): what every container has. */}}
{{- define "gpu-scheduler.container" -}}
image: {{ include "gpu-scheduler.image" . | quote }}
imagePullPolicy: {{ default .root.Values.image.pullPolicy .image.pullPolicy }}
securityContext:
  {{- toYaml .root.Values.securityContext | nindent 2 }}
{{- with .part.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .part.extraEnvFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* (root, part): variables that every container may have. */}}
{{- define "gpu-scheduler.env" -}}
{{- with .part.javaOptions }}
- name: JDK_JAVA_OPTIONS
  value: {{ . | quote }}
{{- end }}
{{- with .part.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The certificate authority of the scheduler and one token, for the parts that call it. */}}
{{- define "gpu-scheduler.clientVolume" -}}
- name: scheduler
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ include "gpu-scheduler.tlsSecret" .root }}
          items:
            - {key: ca.crt, path: ca.crt}
      - secret:
          name: {{ include "gpu-scheduler.tokensSecret" .root }}
          items:
            {{- range .keys }}
            - {key: {{ . }}, path: {{ . }}}
            {{- end }}
{{- end -}}

{{/* (root, budget, component, suffix): a PodDisruptionBudget. */}}
{{- define "gpu-scheduler.budget" -}}
{{- if .budget.enabled }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "gpu-scheduler.metadata" (dict "root" .root "component" .component "name" .name) | nindent 2 }}
spec:
  {{- if ne (toString .budget.minAvailable) "" }}
  minAvailable: {{ .budget.minAvailable }}
  {{- else }}
  maxUnavailable: {{ .budget.maxUnavailable }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "gpu-scheduler.selector" (dict "root" .root "component" .component) | nindent 6 }}
{{- end }}
{{- end -}}

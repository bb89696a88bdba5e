/** Where traces are sent, and which share of the requests is traced. */
export type Tracing = {
  endpoint: string
  headers: Record<string, string>
  serviceName: string
  share: number
}

/** Reads the settings with the names that OpenTelemetry defines. */
export function readTracing(
  endpoint: string | undefined,
  given: (name: string) => string | undefined,
  refuse: (name: string, demand: string) => never,
): Tracing | undefined {
  if (endpoint === undefined) return undefined
  const share = Number(given('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  if (!(share >= 0 && share <= 1))
    refuse('OTEL_TRACES_SAMPLER_ARG', 'must be the share of requests to trace, from 0 to 1')
  const headers = (given('OTEL_EXPORTER_OTLP_HEADERS') ?? '')
    .split(',')
    .filter(Boolean)
    .map((pair): [string, string] => {
      const [, name, value] = /^\s*([\w-]+)\s*=\s*([\x21-\x7e ]+?)\s*$/.exec(pair) ?? []
      return name && value
        ? [name, value]
        : refuse('OTEL_EXPORTER_OTLP_HEADERS', 'must be like name=value, separated by commas')
    })
  const serviceName = given('OTEL_SERVICE_NAME') ?? 'coin-site'
  return { endpoint, headers: Object.fromEntries(headers), serviceName, share }
}

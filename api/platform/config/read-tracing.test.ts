import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('reads tracing settings by their OpenTelemetry names and rejects invalid ones', () => {
  expect(readConfig({}).tracing).toBe(undefined)
  const endpoint = 'http://127.0.0.1:4318'
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=two words' }
  expect(readConfig(given).tracing).toEqual({
    endpoint,
    headers: { a: '1', b: 'two words' },
    serviceName: 'coin-site',
    share: 1,
  })
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'somewhere'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'nothing'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_SAMPLER_ARG', 'often'],
  ] as const)
    expect(() => readConfig({ ...given, [name]: value })).toThrow(name)
})

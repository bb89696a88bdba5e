import type { Endpoint } from './endpoint.ts'

type CallParts = { params?: unknown; query?: unknown }

/** Builds the path of an endpoint, relative to the versioned base, with its parameters and query filled in. */
export function addressOf(endpoint: Endpoint, input: CallParts): string {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const query = Object.entries(input.query ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return query.length > 0 ? `${path}?${query.join('&')}` : path
}

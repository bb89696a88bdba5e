import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { SECOND } from '#contract/platform/durations.ts'

const patienceDefault = 10 * SECOND

export type Asking = {
  method?: string
  headers?: Record<string, string>
  body?: Readable | undefined
  /** Idle time limit in milliseconds. */
  patience?: number
}
export type Answer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** The local address of the connection. */
  localAddress: string | undefined
}

/**
 * Requests an address regardless of its certificate, which another check covers. Follows no redirects. Throws
 * if nothing answers.
 */
export function ask(
  url: URL,
  { method = 'GET', headers = {}, body, patience }: Asking = {},
): Promise<Answer> {
  const begin = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const how = {
      method,
      headers,
      rejectUnauthorized: false,
      agent: false,
      timeout: patience ?? patienceDefault,
    }
    const asked = begin(url, how, (response) => {
      const { localAddress } = response.socket
      buffer(response).then((bytes) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes, localAddress })
        // A body may be refused before its end.
        asked.destroy()
      }, reject)
    })
    asked.on('timeout', () => asked.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })))
    asked.on('error', reject)
    if (body) body.on('error', reject).pipe(asked)
    else asked.end()
  })
}

export const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'unknown'

/** The proxy found no program behind it. */
export const isGateway = (status: number): boolean => status >= 502 && status <= 504

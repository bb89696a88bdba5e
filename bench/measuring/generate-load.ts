import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export type Asked = { method?: string; path: string; headers?: Record<string, string>; body?: string }

/** How many requests were answered, and how many were refused with an error status (400 and above). */
type Load = { requests: number; refused: number; seconds: number }
type Result = Load & { broken: number }

type Generator = {
  name: 'wrk' | 'autocannon'
  generate: (url: URL, requests: readonly Asked[], seconds: number) => Promise<Result>
}

/** The generators that this machine has. wrk spends least time on a request, but is not an npm package. */
export const generators: readonly Generator[] = [
  ...(spawnSync('wrk', ['-v']).error ? [] : [{ name: 'wrk' as const, generate: generateWithWrk }]),
  { name: 'autocannon', generate: generateWithAutocannon },
]

const connections = 16

/** On a busy machine some requests wait too long and are refused. Above this fraction, there is no result. */
const refusedMax = 0.1

/**
 * Sends requests over 16 connections, on each of them the next one as soon as the previous one is answered. A single
 * request is repeated; a list must be longer than what can be sent in whole `seconds`, so that none is sent twice.
 * Throws if it was not, if connections broke, or if many requests were refused.
 */
export async function generateLoad(
  url: URL,
  requests: readonly Asked[],
  { seconds, generator = generators[0]! }: { seconds: number; generator?: Generator },
): Promise<Load> {
  const { broken, ...load } = await generator.generate(url, requests, seconds)
  const { requests: answered, refused } = load
  if (broken > 0) throw new Error(`${broken} requests to ${url.host} got no response`)
  if (refused > refusedMax * answered)
    throw new Error(`${url.host} refused ${refused} requests and answered ${answered}`)
  if (requests.length > 1 && answered + refused > requests.length)
    throw new Error(`only ${requests.length} requests were prepared`)
  return load
}

function bytesOf(url: URL, { method = 'GET', path, headers = {}, body }: Asked): string {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${url.host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** One thread is enough for any server with one thread, and leaves it the other processors. */
async function generateWithWrk(url: URL, requests: readonly Asked[], seconds: number): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-requests-'))
  try {
    const file = join(folder, 'requests')
    const each = requests.map((asked) => bytesOf(url, asked))
    await writeFile(file, each.map((bytes) => `${Buffer.byteLength(bytes)}\n${bytes}`).join(''))
    const script = join(import.meta.dirname, 'send-requests.lua')
    const size = ['-t', '1', '-c', String(connections), '-d', String(seconds), '--timeout', '30']
    const child = spawn('wrk', [...size, '-s', script, url.href, '--', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    const { microseconds, ...counts } = JSON.parse(output.trim().split('\n').at(-1)!) as {
      requests: number
      refused: number
      broken: number
      microseconds: number
    }
    return { ...counts, seconds: microseconds / 1e6 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function generateWithAutocannon(
  url: URL,
  requests: readonly Asked[],
  seconds: number,
): Promise<Result> {
  const { default: autocannon } = await import('autocannon')
  const each = requests.map(({ body, headers, ...rest }) => ({
    ...rest,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  }))
  let clients = 0
  const result = await autocannon({
    url: url.origin,
    connections,
    duration: seconds,
    timeout: 30,
    setupClient(client) {
      const place = clients++
      client.setRequests(
        (each.length === 1 ? each : each.filter((_, n) => n % connections === place)) as never,
      )
    },
  })
  return {
    requests: result['2xx'] + result['3xx'],
    refused: result['4xx'] + result['5xx'],
    broken: result.errors,
    seconds: result.duration,
  }
}

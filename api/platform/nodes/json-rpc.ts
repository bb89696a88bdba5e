import * as z from 'zod/mini'
import { SECOND } from '#contract/platform/durations.ts'
import { MIB } from '#contract/platform/fields.ts'
import { NodeFailure, NodeRefusal } from './node-failure.ts'

/**
 * Maximum size of a response in bytes: a Bitcoin block has up to 4,000,000 bytes, twice as many in hexadecimal;
 * Ethereum blocks are smaller in practice.
 */
const bytesMax = 24 * MIB
const timeMax = 15 * SECOND
/** Nodes reject more than a few hundred requests at once. */
const perRequest = 100

const answered = z.object({
  id: z.number(),
  result: z.optional(z.unknown()),
  error: z.optional(z.nullable(z.object({ code: z.number() }))),
})
type Answered = z.infer<typeof answered>

type Asked = { method: string; params: readonly unknown[] }

/** Calls a node by JSON-RPC over HTTP. A response of an unexpected shape throws `not_understood`. */
export type JsonRpc = {
  ask<T>(schema: z.ZodMiniType<T>, method: string, ...params: unknown[]): Promise<T>
  /** Makes several calls at once; a result is undefined if the node rejected that call. */
  askAll<T>(schema: z.ZodMiniType<T>, asked: readonly Asked[]): Promise<(T | undefined)[]>
}

export function jsonRpc(address: string): JsonRpc {
  const { url, headers } = requestTo(address)
  const post = async (body: unknown): Promise<unknown> => {
    let answer: Response
    let text: string
    try {
      answer = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeMax),
      })
      if (answer.status === 401 || answer.status === 403) throw new NodeFailure('refused')
      text = await readBounded(answer, bytesMax)
    } catch (error) {
      if (error instanceof NodeFailure) throw error
      throw new NodeFailure((error as Error).name === 'TimeoutError' ? 'too_slow' : 'unreachable')
    }
    try {
      return JSON.parse(text)
    } catch {
      // Bitcoin Core sends errors as JSON too; a proxy in front of a dead node does not.
      throw new NodeFailure(answer.ok ? 'not_understood' : 'unreachable')
    }
  }

  return {
    async ask(schema, method, ...params) {
      const answer = await post({ jsonrpc: '2.0', id: 1, method, params })
      return resultOf(schema, understood(answered, answer))
    },
    async askAll(schema, asked) {
      if (asked.length > perRequest) {
        const first = await this.askAll(schema, asked.slice(0, perRequest))
        return [...first, ...(await this.askAll(schema, asked.slice(perRequest)))]
      }
      if (asked.length === 0) return []
      const calls = asked.map((each, id) => ({ jsonrpc: '2.0', id, ...each }))
      const answers = understood(z.array(answered), await post(calls))
      const byId = new Map(answers.map((each) => [each.id, each]))
      return asked.map((_, id) => {
        const answer = byId.get(id)
        if (!answer) throw new NodeFailure('not_understood')
        return answer.error ? undefined : resultOf(schema, answer)
      })
    },
  }
}

/** `fetch` rejects URLs with a user and password, so these are sent in a header. */
function requestTo(address: string) {
  const url = new URL(address)
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  url.username = ''
  url.password = ''
  const headers = {
    'content-type': 'application/json',
    ...(user || password
      ? { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
      : {}),
  }
  return { url, headers }
}

function resultOf<T>(schema: z.ZodMiniType<T>, { result, error }: Answered): T {
  if (error) throw new NodeRefusal(error.code)
  return understood(schema, result ?? null)
}

export function understood<T>(schema: z.ZodMiniType<T>, given: unknown): T {
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new NodeFailure('not_understood')
  return parsed.data
}

/** Reads the body of a response, and stops once it is larger than any valid response. */
async function readBounded(answer: Response, bytesMax: number): Promise<string> {
  if (Number(answer.headers.get('content-length') ?? 0) > bytesMax) throw new NodeFailure('too_large')
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    if (bytes > bytesMax) throw new NodeFailure('too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

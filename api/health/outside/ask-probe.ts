import { randomBytes } from 'node:crypto'
import type { Examined } from '../check.ts'
import { answeredBy, askedBy, probeHeader, probePath, type ProbeAnswer } from '../probe.ts'
import { ask, isGateway, type Answer, type Asking } from './ask.ts'

export type Probed = Answer & {
  nonce: string
  /** Whether the proof had to be in the query. */
  isInQuery: boolean
  /** `undefined` if something other than this installation answered. */
  answer: ProbeAnswer | undefined
  /** The clock of the answering host. */
  date: Date | undefined
}

type Asked = Omit<Asking, 'headers'> & {
  path?: string
  /** Further headers, which may contain the nonce. */
  headers?: (nonce: string) => Record<string, string>
  isInQuery?: boolean
}

/** Asks PUBLIC_URL for its identity, by POST by default, which no cache answers. Throws if nothing answers. */
export async function askProbe(
  { config, keys }: Pick<Examined, 'config' | 'keys'>,
  { path = probePath, method = 'POST', headers = () => ({}), isInQuery = false, ...asking }: Asked = {},
): Promise<Probed> {
  const nonce = randomBytes(18).toString('base64url')
  const url = new URL(path, config.publicUrl)
  const proof = askedBy(keys, nonce)
  if (isInQuery) url.searchParams.set('probe', proof)
  const answer = await ask(url, {
    ...asking,
    method,
    headers: {
      ...(!isInQuery && { [probeHeader]: proof }),
      accept: 'application/json',
      ...(method !== 'GET' && !asking.body && { 'content-length': '0' }),
      ...headers(nonce),
    },
  })
  if (isGateway(answer.status)) throw Object.assign(new Error('away'), { code: `HTTP_${answer.status}` })
  const date = new Date(String(answer.headers['date']))
  const found = answer.status === 200 ? parse(answer.body.toString()) : undefined
  return {
    ...answer,
    nonce,
    isInQuery,
    answer: found?.answer === answeredBy(keys, nonce) ? found : undefined,
    date: Number.isNaN(date.getTime()) ? undefined : date,
  }
}

function parse(body: string): ProbeAnswer | undefined {
  try {
    return JSON.parse(body) as ProbeAnswer
  } catch {
    return undefined
  }
}

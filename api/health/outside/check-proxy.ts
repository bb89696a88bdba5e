import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { MIB } from '#contract/platform/fields.ts'
import type { HealthCheck, HealthProblem } from '#contract/console/console-health.ts'
import { clientOf } from '../../platform/http/request-facts.ts'
import { trusting } from '../../platform/http/trusted-networks.ts'
import { checked, type Examined } from '../check.ts'
import {
  answeredBy,
  hashClient,
  probedHeaders,
  probeHeader,
  probeMethods,
  probePath,
  probePaths,
} from '../probe.ts'
import { askProbe, type Probed } from './ask-probe.ts'
import type { Outside } from './outside.ts'

/** An address reserved for documentation (RFC 5737). */
const strangers = '203.0.113.77'

type Found = { [Problem in HealthProblem]?: boolean }
type Try = (
  examined: Examined,
  first: Probed,
  outside: Outside,
) => Promise<{ problems: Found; missing?: string[] }>

/** Which parts of requests and answers pass through the proxy. */
export async function checkProxy(examined: Examined, first: Probed, outside: Outside): Promise<HealthCheck> {
  const { isForwarded, isPeerTrusted, protocol } = first.answer!
  const found = await Promise.all(tries.map((each) => each(examined, first, outside)))
  const seen = isForwarded ? (isPeerTrusted ? 'visitor' : 'proxy') : 'peer'
  const missing = found.flatMap((each) => each.missing ?? [])
  return checked('proxy', {
    facts: { forwarded: `${seen}, ${protocol}`, missing: missing.join(', ') || undefined },
    problems: Object.assign({}, ...found.map(({ problems }) => problems)) as Found,
  })
}

/** The client's address, and the scheme of its request. */
const tryClient: Try = async (examined, { answer, localAddress = '' }) => {
  const { config, keys, lifecycle } = examined
  const { isForwarded, isPeerTrusted, protocol } = answer!
  const isHttps = config.publicUrl.protocol === 'https:'
  // Reported by the settings check.
  if (isForwarded && !isPeerTrusted) lifecycle.hasSeenUnnamedProxy = true
  const again = await asking(examined, { headers: () => ({ 'x-forwarded-for': strangers }) })
  const isBelieved = again?.answer?.client === hashClient(keys, clientOf(strangers))
  // A trusted proxy may set it, so this command's own trust proves nothing.
  const isOwnTrusted = isIP(localAddress) !== 0 && trusting(config.trustProxy)(localAddress)
  return {
    problems: {
      // The program has no TLS, so an https address implies a proxy.
      proxy_no_address: isHttps && !isForwarded,
      proxy_no_scheme: isHttps && isPeerTrusted && protocol !== 'https',
      proxy_spoofed: isBelieved && !isOwnTrusted,
    },
  }
}

/** Headers in both directions. */
const tryHeaders: Try = async (examined) => {
  const headers = (nonce: string) =>
    Object.fromEntries(
      probedHeaders.map((name) => [
        name,
        name === 'content-type'
          ? `application/json; probe=${nonce}`
          : name === 'cookie'
            ? `probe=${nonce}`
            : name === 'if-none-match'
              ? `"${nonce}"`
              : name === 'authorization'
                ? `Bearer ${nonce}`
                : nonce,
      ]),
    )
  const probed = await asking(examined, {
    headers,
    body: Readable.from([Buffer.from('{}')]),
    isInQuery: true,
  })
  if (!probed?.answer) return { problems: { proxy_headers: probed !== undefined } }
  const { nonce, answer } = probed
  const asked = probedHeaders.filter((name) => !answer.headers.includes(name))
  const answered = [
    ['content-type', 'application/json'],
    ['cache-control', 'no-store'],
    ['set-cookie', nonce],
    [probeHeader, nonce],
  ].filter(([name, part]) => !String(probed.headers[name!]).includes(part!))
  const missing = [...asked, ...answered.map(([name]) => name!)]
  return { problems: { proxy_headers: missing.length > 0 }, missing }
}

/** Sends the largest body that an endpoint accepts. A rejection arrives at its start. */
const tryBody: Try = async (examined, { isInQuery }, { largestBody }) => {
  const chunk = Buffer.alloc(MIB)
  const chunks = Array.from<Buffer>({ length: Math.floor(largestBody / MIB) }).fill(chunk)
  const bytes = chunks.length * MIB
  const probed = await askProbe(examined, {
    path: probePaths[1],
    isInQuery,
    body: Readable.from(chunks),
    headers: () => ({ 'content-type': 'application/octet-stream', 'content-length': String(bytes) }),
    patience: MINUTE,
  }).catch(() => undefined)
  return { problems: { proxy_body_limit: probed?.answer?.bytes !== bytes } }
}

/** Two answers of one address that must differ: a cache returns that of an earlier request. */
const tryCaches: Try = async (examined) => {
  const isCached = await Promise.all(
    probePaths.map(async (path) => {
      const asked: (Probed | undefined)[] = []
      for (const _ of [1, 2]) asked.push(await asking(examined, { path, method: 'GET' }))
      return asked.some((each) => each !== undefined && isOfOther(examined, each))
    }),
  )
  return { problems: { proxy_caches: isCached.includes(true) } }
}

/** An answer of this kind that belongs to another request. */
function isOfOther({ keys }: Examined, { status, body, nonce }: Probed): boolean {
  const text = body.toString()
  return status === 200 && text.includes('"isPeerTrusted"') && !text.includes(answeredBy(keys, nonce))
}

/** Links in emails have encoded characters in their paths. */
const tryPath: Try = async (examined, { isInQuery }) => {
  const path = `${probePath}/a%2Fb%20c%40d+e?q=%26%2B`
  const probed = await asking(examined, { path, isInQuery })
  return { problems: { proxy_rewrites: probed !== undefined && !probed.answer?.url.startsWith(path) } }
}

const tryMethods: Try = async (examined, { isInQuery }) => {
  const tried = await Promise.all(
    probeMethods.map(async (method) => {
      const probed = await asking(examined, { method, path: `${probePaths[1]}?method=${method}`, isInQuery })
      return probed?.answer || (probed && isOfOther(examined, probed)) ? [] : [method]
    }),
  )
  return { problems: { proxy_methods: tried.flat().length > 0 }, missing: tried.flat() }
}

/** Requests a slow response, because pictures are decoded one after the other. */
const tryTime: Try = async (examined, { isInQuery }, { slowAnswer }) => {
  const path = `${probePaths[1]}?wait=${slowAnswer}`
  const begun = performance.now()
  const probed = await asking(examined, { path, isInQuery, patience: slowAnswer + 10 * SECOND })
  return { problems: { proxy_timeout: !probed?.answer || performance.now() - begun < slowAnswer - SECOND } }
}

const tries: readonly Try[] = [tryClient, tryHeaders, tryBody, tryCaches, tryPath, tryMethods, tryTime]

/** Undefined if the request was cut off, because it should have arrived like the first one. */
const asking = (...words: Parameters<typeof askProbe>): Promise<Probed | undefined> =>
  askProbe(...words).catch(() => undefined)

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isbot } from 'isbot'
import { DAY } from '#contract/platform/durations.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import { inAppHeader } from '#contract/publishing/in-app-header.ts'
import { otherReferrer, type Readable } from '#contract/publishing/reads.ts'
import { clientsFor } from '../../platform/http/client-behind-proxy.ts'
import type { Services } from '../../platform/services.ts'
import type { CountedRead } from './read-count.queries.ts'

/** Limits per instance and day. Reads beyond them are not counted, and other sites beyond theirs become `other`. */
export const readLimits = { reads: 100_000, readsPerClient: 500, referrers: 100, newReferrersPerClient: 5 }

const agentLengthMax = 300
/** How many user agents are remembered as those of people or robots. */
const agentsMax = 1000

type Client = { reads: number; newReferrers: number }
/** What an instance remembers of a day: truncated hashes, and never an address. */
type TalliedDay = {
  name: string
  salt: string
  marks: Set<number>
  clients: Map<number, Client>
  referrers: Set<string>
}

type Tally = {
  /** Counts a response that was sent, if its recipient is a reader who had not received it today. */
  count: (request: IncomingMessage, shown: Readable) => void
  isOpen: (day: number) => boolean
  /** Starts counting on a day, numbered from 1970, with the sites that already referred readers on it. */
  open: (day: number, salt: string, referrers: readonly string[]) => void
  closeBefore: (day: number) => void
  /** The reads that are not stored yet, oldest first. */
  pending: CountedRead[]
}

export const nameOfDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)

/** Counts readers in memory, so that no request waits for the database. */
export function makeTally(
  { config, content, log }: Pick<Services, 'config' | 'content' | 'log'>,
  { now, limits }: { now: () => number; limits: typeof readLimits },
): Tally {
  const days = new Map<number, TalliedDay>()
  const pending: CountedRead[] = []
  const clientOf = clientsFor(config)
  const isPerson = makePersonCheck()

  function referrerOf(referer: string | undefined, day: TalliedDay, client: Client): string {
    const host = hostOf(referer, config.publicUrl.hostname)
    if (day.referrers.has(host)) return host
    client.newReferrers += 1
    const isTooMany =
      client.newReferrers > limits.newReferrersPerClient || day.referrers.size >= limits.referrers
    if (isTooMany) return otherReferrer
    day.referrers.add(host)
    return host
  }

  return {
    pending,
    count(request, shown) {
      const day = days.get(Math.floor(now() / DAY))
      const agent = (request.headers['user-agent'] ?? '').slice(0, agentLengthMax)
      if (!day || day.marks.size >= limits.reads || !isView(request, shown) || !isPerson(agent)) return
      const address = clientOf(request)
      const mark = hashOf(`${day.salt}\n${address}\n${agent}\n${shown.kind} ${shown.item}`)
      if (day.marks.has(mark)) return
      const language = languageOf(shown, content)
      if (!language) return
      const client = clientOn(day, address)
      if (client.reads >= limits.readsPerClient) return
      client.reads += 1
      day.marks.add(mark)
      if (day.marks.size === limits.reads)
        log.warn({ count: limits.reads }, 'no more reads are counted today, because there are too many')
      const referrer = referrerOf(request.headers.referer, day, client)
      pending.push({ day: day.name, mark, kind: shown.kind, item: shown.item, language, referrer })
    },
    isOpen: (day) => days.has(day),
    open: (day, salt, referrers) =>
      void days.set(day, {
        name: nameOfDay(day),
        salt,
        marks: new Set(),
        clients: new Map(),
        // Reads without a referring site don't take the place of one.
        referrers: new Set(['', otherReferrer, ...referrers]),
      }),
    closeBefore(first) {
      for (const day of days.keys()) if (day < first) days.delete(day)
    },
  }
}

/** Undefined for a file that is not among the documents. */
function languageOf(shown: Readable, content: Services['content']): Language | undefined {
  if (shown.kind !== 'document') return shown.language
  const document = content.documents().find(({ file }) => file === shown.item)
  return languages.find((each) => each === document?.language)
}

/**
 * 48 bits, because they fit into a number. Among 100,000 hashes, two are the same with a probability of less than
 * 0.01 %. A hash in text is made three times as fast as one in a buffer.
 */
const hashOf = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, 12), 16)

function clientOn(day: TalliedDay, address: string): Client {
  const key = hashOf(`${day.salt}\n${address}`)
  const client = day.clients.get(key) ?? { reads: 0, newReferrers: 0 }
  day.clients.set(key, client)
  return client
}

/**
 * Whether a person sees the response. Browsers also request pages that may never be shown (prefetches), and they
 * announce pages that they open without loading a document.
 */
function isView({ method, headers }: IncomingMessage, { kind }: Readable): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-moz']
  if (purpose !== undefined) return false
  if (method === 'HEAD') return kind !== 'document' && headers[inAppHeader] !== undefined
  const target = headers['sec-fetch-dest']
  return kind === 'document' || target === undefined || target === 'document'
}

/** Distinguishes people from robots by the user agent. The check is slow, so its results are kept. */
function makePersonCheck(): (agent: string) => boolean {
  const known = new Map<string, boolean>()
  return (agent) => {
    const remembered = known.get(agent)
    if (remembered !== undefined) return remembered
    const isPerson = agent !== '' && !isbot(agent)
    if (known.size >= agentsMax) known.clear()
    known.set(agent, isPerson)
    return isPerson
  }
}

const hostLengthMax = 253
/** A host on the internet, such as `news.example.org`: neither an IP address nor a name in a private network. */
const publicHost = /^(?:[\w-]{1,63}\.)+[a-z][a-z\d-]{0,62}$/

/** The host of another site, and nothing else of the URL. */
function hostOf(referer: string | undefined, ownHost: string): string {
  const url = referer === undefined ? null : URL.parse(referer)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === ownHost) return ''
  const isPublic = url.hostname.length <= hostLengthMax && publicHost.test(url.hostname)
  return isPublic ? url.hostname : otherReferrer
}

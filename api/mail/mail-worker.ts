import { noteOutage } from '../note-outage.ts'
import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import { listGone } from '../jobs/list-gone.ts'
import { isOutage } from '../db/database.ts'
import { noteRun } from '../jobs/note-run.ts'
import type { Worker } from '../noun.ts'
import type { Services } from '../services.ts'
import { lease, leaseOfMessage, tryMail } from './deliver-mail.ts'
import { claimDueMail, releaseMailsOf } from './mail.queries.ts'
import { newsKinds } from './news-kinds.ts'
import { failureOf } from './mail-failure.ts'
import { limitsOfDelivery, openTransport } from './smtp-transport.ts'

const lanes = 3
/** A server that takes longer over a mail keeps it, and not the lane: others come meanwhile. */
const laneTimeMax = 15 * SECOND
const slowMax = 30
/** Of those, news. */
const slowNewsMax = 10
const pollEvery = 5 * SECOND
/** How often the claims of instances that are gone are released. */
const releaseEvery = 15 * SECOND
const stopWaitMax = 3 * SECOND

const isNews = ({ kind }: { kind: string }) => (newsKinds as readonly string[]).includes(kind)
/** The delays after failed attempts; after the last one the mail has failed. About two days in total. */
const waits = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  16 * HOUR,
  16 * HOUR,
]

/** Delivers the outbox by SMTP. One mail, one claim: a crash repeats at most the mails in flight, with the same Message-ID. */
export function startMailWorker(
  services: Services,
  smtpUrl: string,
  { limits = limitsOfDelivery, laneTime = laneTimeMax } = {},
): Required<Worker> {
  const transport = openTransport(smtpUrl, limits)
  const stopping = new AbortController()
  const { signal } = stopping
  /** Attempts that have not ended, also those that keep no lane any more. */
  const under = new Set<Promise<unknown>>()
  /** Those of them that are news. */
  const news = new Set<Promise<unknown>>()
  let isWoken = false
  let round: Promise<void> | undefined
  let releasedAt = -Infinity

  const claim = async (lane: number) => {
    const { db, config } = services
    const ordinary = await claimDueMail(db, lease, config.publicUrl.hostname, 'ordinary')
    // The first lane stays free for codes, and news that hang take few of the places of slow mails.
    if (ordinary || lane === 0 || news.size >= slowNewsMax) return ordinary
    return claimDueMail(db, lease, config.publicUrl.hostname, 'news')
  }
  const drain = async (_: unknown, lane: number) => {
    while (!signal.aborted) {
      if (under.size >= lanes + slowMax) await Promise.race(under)
      const mail = await claim(lane)
      if (!mail) return
      const attempt = tryMail(services, mail, { transport, signal, waits })
      if (isNews(mail)) void noteNews(attempt)
      await withinLane(attempt)
    }
  }
  const noteNews = async (attempt: Promise<unknown>) => {
    news.add(attempt)
    await attempt.catch(() => {})
    news.delete(attempt)
    // One of them made room.
    if (news.size === slowNewsMax - 1) wake()
  }
  const withinLane = async (attempt: Promise<unknown>) => {
    const ended = attempt.finally(() => under.delete(ended))
    under.add(ended)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, laneTime)
    })
    // What becomes of one that goes on without its lane stands in its row.
    ended.catch(() => {})
    await Promise.race([ended, late]).finally(() => clearTimeout(timer))
  }
  /** The mails that a killed instance had in hand, activation codes among them, do not wait for the end of their leases. */
  const releaseClaims = async () => {
    if (performance.now() - releasedAt < releaseEvery) return
    releasedAt = performance.now()
    const gone = await listGone(services.db, { within: leaseOfMessage })
    if (gone.length > 0) await releaseMailsOf(services.db, gone)
  }
  const runRound = async () => {
    await releaseClaims()
    do {
      isWoken = false
      await Promise.all(Array.from({ length: lanes }).map(drain))
    } while (isWoken && !signal.aborted)
  }
  const wake = () => {
    isWoken = true
    if (round || signal.aborted) return
    round = noteRun(services.db, 'mailDelivery', runRound)
      .catch((error: unknown) =>
        isOutage(error)
          ? noteOutage(services.log, 'database', error as { code?: string })
          : services.log.error({ code: failureOf(error).error }, 'the outbox cannot be read'),
      )
      .finally(() => (round = undefined))
  }
  const poll = setInterval(wake, pollEvery)
  wake()
  return {
    topic: 'mail',
    wake,
    async stop() {
      clearInterval(poll)
      // What no server has asked for yet is released; one that hangs with a message must not delay the shutdown: its lease expires.
      stopping.abort()
      const ended = Promise.all([round, ...[...under].map((attempt) => attempt.catch(() => {}))])
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, stopWaitMax).unref())])
      transport.close()
    },
  }
}

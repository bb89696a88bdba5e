import { SECOND } from '#contract/platform/durations.ts'
import type { Worker } from '../module.ts'
import { startOutbox, type UnderWay } from '../outbox/start-outbox.ts'
import type { Services } from '../services.ts'
import { lease, leaseOfMessage, retryWaits, tryMail } from './deliver-mail.ts'
import { claimDueMail, releaseMailsOf, type ClaimedMail } from './mail.queries.ts'
import { newsKinds } from './mail-kinds.ts'
import { limitsOfDelivery, openTransport } from './smtp-transport.ts'

/** Number of concurrent deliveries, not counting slow ones. */
const lanes = 3
/** Milliseconds after which a slow delivery leaves its lane, so that others can continue. */
const laneTimeMax = 15 * SECOND
const slowMax = 30
/** The maximum of newsletters among slow deliveries. */
const slowNewsMax = 10

const isNews = ({ item }: UnderWay<ClaimedMail>) => (newsKinds as readonly string[]).includes(item.kind)

/** Delivers emails by SMTP. A crash repeats at most those in flight, with the same Message-ID. */
export function startMailWorker(
  services: Services,
  smtpUrl: string,
  { limits = limitsOfDelivery, laneTime = laneTimeMax } = {},
): Required<Worker> {
  const { db, config } = services
  const transport = openTransport(smtpUrl, limits)
  const take = (among: 'ordinary' | 'news') => claimDueMail(db, lease, config.publicUrl.hostname, among)
  const claim = async (underWay: readonly UnderWay<ClaimedMail>[]) => {
    const inLanes = underWay.filter(({ isSlow }) => !isSlow)
    if (inLanes.length >= lanes || underWay.length >= lanes + slowMax) return []
    // One lane stays free for codes, and stuck newsletters take few of the slots for slow deliveries.
    const takesNews =
      inLanes.filter(isNews).length < lanes - 1 && underWay.filter(isNews).length < slowNewsMax
    const mail = (await take('ordinary')) ?? (takesNews ? await take('news') : undefined)
    return mail ? [mail] : []
  }
  const outbox = startOutbox(services, {
    job: 'mailDelivery',
    topic: 'mail',
    lease: leaseOfMessage,
    claim,
    attempt: (mail, signal) => tryMail(services, mail, { transport, signal, waits: retryWaits }),
    releaseClaimsOf: releaseMailsOf,
    slowAfter: laneTime,
    failed: 'the outbox cannot be read',
  })
  return {
    ...outbox,
    async stop() {
      await outbox.stop()
      transport.close()
    },
  }
}

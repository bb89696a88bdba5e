import { digestHour, waitingCountMax } from '#contract/console/console-home.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { transaction } from '../../platform/db/database.ts'
import { startEvery } from '../../platform/jobs/start-every.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import type { Worker } from '../../platform/module.ts'
import type { Services } from '../../platform/services.ts'
import { consoleLink } from '../../platform/site-links.ts'
import { findEffectiveStaff } from '../../people/members/approver.queries.ts'
import { countWaiting } from './list-waiting.ts'
import { claimDigest, findNotifications, listDueDigests } from './notification.queries.ts'

type DigestServices = Pick<Services, 'db' | 'keys' | 'config' | 'content' | 'log' | 'maintenance'>

export const startSendingDigests = (services: DigestServices): Worker =>
  startEvery(services, {
    job: 'digests',
    every: 10 * MINUTE,
    work: async (isStopped) => {
      if (new Date().getUTCHours() >= digestHour) await sendDigests(services, isStopped)
    },
    failed: 'sending the daily emails to staff failed',
  })

/** Sends each due email in its own transaction, so that one that fails does not delay the others. */
export async function sendDigests(
  services: DigestServices,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const failures: unknown[] = []
  for (const memberId of await listDueDigests(services.db)) {
    if (isStopped()) return
    await sendDigest(services, memberId).catch((failure: unknown) => failures.push(failure))
  }
  if (failures.length > 0) throw failures[0]
}

/** Emails a staff member what is waiting for them. Sends nothing if nothing is waiting, or if their rights aren't effective. */
const sendDigest = ({ db, keys, config, content }: DigestServices, memberId: string) =>
  transaction(db, async (db) => {
    if (!(await claimDigest(db, memberId))) return
    const staff = await findEffectiveStaff(db, config, memberId)
    if (!staff) return
    const { muted } = await findNotifications(db, memberId)
    const waiting = (await countWaiting({ db, config }, staff)).flatMap(({ what, count }) =>
      what !== 'orders_any' && count > 0 && !muted.includes(what) ? [{ what, count }] : [],
    )
    if (waiting.length === 0) return
    const words = content.words(staff.language, 'console-home') ?? {}
    const items = waiting.map(({ what, count }) => {
      const number = count > waitingCountMax ? `${waitingCountMax}+` : String(count)
      return `${words[`consoleHome.waiting.${what}`] ?? what}: ${number}`
    })
    await sendMail(db, keys, staff, 'staff-digest', { items: items.join('\n'), link: consoleLink(config) })
  })

import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { reminderWaitMinutes } from '#contract/money/public-sale.ts'
import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import { announceChange } from '../../platform/db/changes.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { rollBackIfUnknown } from '../../platform/db/roll-back-if-unknown.ts'
import type { Context, Handler } from '../../platform/http/handler.ts'
import type { Keys } from '../../platform/keys.ts'
import { consumeEmailQuota } from '../../platform/mail/email-quota.ts'
import { discardEmails, insertMail } from '../../platform/mail/mail.queries.ts'
import { sendMail, writeMail } from '../../platform/mail/send-mail.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import { cancelReminderLink, confirmReminderLink, publicSaleLink } from '../../platform/site-links.ts'
import { hasBeenOpenFor } from './public-sale.queries.ts'
import { readSaleState, saleFacts } from './public-sale.ts'
import {
  askForReminder,
  confirmReminder,
  countMailedReminders,
  deleteMailedReminders,
  deleteReminder,
  findReminder,
  lockConfirmed,
  lockReminders,
  setReminderMail,
  type ReminderRow,
} from './sale-reminder.queries.ts'

const requestsMax = 20
const linksMax = 60
/** Minimum time between two confirmation emails, in milliseconds. */
const mailWait = HOUR
/** Maximum number of untried reminders in the outbox at a time, so that emails with codes are not delayed. */
const untriedMax = 20
/**
 * Maximum number of postponed reminders in addition. Many mailboxes can fail temporarily without stopping the others,
 * but an outage of our own mail server leaves only so many that compete with other emails afterward.
 */
const postponedMax = 500

const requireSome = ({ db, keys, request }: Context, what: string, max: number) =>
  requireWithinLimits(db, keys, [
    { key: `sale reminder ${what} ${request.client}`, max, window: 15 * MINUTE },
  ])

/**
 * Emails a link that confirms the reminder. Neither the response nor its duration reveals whether the address is known:
 * if no email is needed, the same work is done and rolled back.
 */
export const requestSaleReminder: Handler<typeof api.requestSaleReminder> = async ({ body }, context) => {
  const { db, keys, config, request } = context
  await requireSome(context, 'asked', requestsMax)
  if (!saleFacts(context).isPublic) throw new Refused('not_found')
  const { email, language } = body
  const counted = { email, client: request.client, sort: 'sale-reminder', of: 'sale-reminder' } as const
  const mayMail = await consumeEmailQuota(db, keys, counted)
  await rollBackIfUnknown(db, async (db) => {
    const asked = await askForReminder(db, { email, language }, mailWait)
    const link = confirmReminderLink(config, language, codeOfReminder(keys, asked?.id ?? randomUUID()))
    await sendMail(db, keys, { email, language }, 'reminder-confirm', { link })
    return { isForNobody: !mayMail || !asked }
  })
  return { received: true }
}

export const confirmSaleReminder: Handler<typeof api.confirmSaleReminder> = async ({ body }, context) => {
  await requireSome(context, 'opened', linksMax)
  const row = await findByCode(context, body.code)
  // It may have been canceled since it was read.
  if (!row || !(await confirmReminder(context.db, row.id))) throw new Refused('code_invalid')
  return { confirmed: true }
}

export const cancelSaleReminder: Handler<typeof api.cancelSaleReminder> = async ({ body }, context) => {
  await requireSome(context, 'opened', linksMax)
  await transaction(context.db, async (db) => {
    const row = await findByCode({ db, keys: context.keys }, body.code)
    if (row) await cancelReminder(db, row.id)
  })
  return { cancelled: true }
}

/** Deletes a reminder, and discards its email if it has not been sent. Call it in a transaction. */
export async function cancelReminder(db: Tx, id: string): Promise<void> {
  const mailId = await deleteReminder(db, id)
  if (mailId !== null) await discardEmails(db, [mailId])
}

/**
 * The code in links: the ID of the reminder and a keyed hash of it. The hash is the same in both emails, so it is derived
 * and not stored. Someone who can only read the database knows no code.
 */
export const codeOfReminder = (keys: Keys, id: string): string =>
  `${id}.${keys.blind(`sale reminder link ${id}`)}`

async function findByCode(
  { db, keys }: { db: Tx; keys: Keys },
  code: string,
): Promise<ReminderRow | undefined> {
  const [id] = code.split('.', 1)
  const [given, right] = [code, codeOfReminder(keys, id!)].map((each) => Buffer.from(each))
  if (given!.length !== right!.length || !timingSafeEqual(given!, right!)) return undefined
  return findReminder(db, id!)
}

/**
 * Once the sale has accepted orders for a while, writes one email for each confirmed reminder. The row stays until the
 * email has been sent, so that canceling it still stops the email. Returns whether more emails are to be written.
 */
export async function sendReminders(
  services: Pick<Services, 'db' | 'keys' | 'config' | 'content'>,
): Promise<boolean> {
  const { db } = services
  await deleteMailedReminders(db)
  if (!saleFacts(services).isPublic || (await readSaleState(db)).state !== 'open') return false
  if (!(await hasBeenOpenFor(db, reminderWaitMinutes * MINUTE))) return false
  return transaction(db, (db) => sendSome({ ...services, db }))
}

async function sendSome({
  db,
  keys,
  config,
}: Pick<Services, 'keys' | 'config'> & { db: Tx }): Promise<boolean> {
  await lockReminders(db)
  const { untried, postponed } = await countMailedReminders(db)
  const free = Math.min(untriedMax - untried, postponedMax - postponed)
  if (free <= 0) return true
  const rows = await lockConfirmed(db, free)
  for (const row of rows) {
    const { email, language } = row
    const id = randomUUID()
    const manageLink = cancelReminderLink(config, language, codeOfReminder(keys, row.id))
    const mail = await writeMail(
      db,
      keys,
      { email, language },
      {
        kind: 'reminder-sale-open',
        values: { link: publicSaleLink(config, language), manageLink },
        id,
        headers: { 'List-Unsubscribe': `<${manageLink}>` },
      },
    )
    await insertMail(db, mail)
    await setReminderMail(db, row.id, id)
  }
  if (rows.length > 0) await announceChange(db, 'mail')
  return rows.length === free
}

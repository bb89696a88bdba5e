import { transaction, type Database } from '../../db/database.ts'
import type { Keys } from '../../keys.ts'
import { isAboutMailbox } from '../mail-failure.ts'
import { lockReturnedMail, markMailReturned } from './returned-mail.queries.ts'
import { recordMailboxRefusal } from './mailbox-refusal.queries.ts'
import { readMessage, readReport, type Headers } from './read-report.ts'
import { findMailOfReturnPath } from './return-path.ts'

/** The result for a returned message. Only the first two change anything. */
export type BounceOutcome = 'marked' | 'noted' | 'not_ours' | 'no_report' | 'not_failed' | 'mail_unknown'

/** Headers in which mail servers write the delivery address. */
const namesOfRecipient = ['x-original-to', 'delivered-to', 'envelope-to', 'x-envelope-to', 'to']

/**
 * Processes a message to a return path. Anyone may write there, and reports are easily forged, so only the
 * address it arrived at counts, which only the original email contained. No email or mailbox named in the
 * report is looked up.
 */
export async function recordBounce(
  { db, keys }: { db: Database; keys: Keys },
  raw: string,
  recipient?: string,
): Promise<BounceOutcome> {
  const message = readMessage(raw)
  const id = (recipient ? [recipient] : recipientsOf(message.headers))
    .map((address) => findMailOfReturnPath(keys, address))
    .find((found) => found !== undefined)
  if (!id) return 'not_ours'
  if (!/^multipart\/report\b/i.test(message.headers.get('content-type')?.[0] ?? '')) return 'no_report'
  const report = readReport(message)
  if (!report) return 'not_failed'
  const { failure, isForGood } = report
  return transaction(db, async (db) => {
    const mail = await lockReturnedMail(db, id)
    if (!mail) return 'mail_unknown'
    // Anyone with the email's headers can report it once, and not again after the mailbox was reached.
    if (!mail.may_return) return 'noted'
    await markMailReturned(db, id, failure)
    if (!isForGood || !isAboutMailbox(failure) || mail.was_reached_since) return 'noted'
    await recordMailboxRefusal(db, mail.to_address, failure, { isReported: true })
    return 'marked'
  })
}

/** Bounded, so that any header is matched in linear time. */
const anAddress = /[^\s<>,"@]{1,64}@[^\s<>,"@]{1,255}/g

const recipientsOf = (headers: Headers): string[] =>
  namesOfRecipient.flatMap((name) =>
    (headers.get(name) ?? []).flatMap((value) => value.match(anAddress) ?? []),
  )

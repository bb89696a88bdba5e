import { transaction, type Database, type Tx } from '../../db/database.ts'
import type { Keys } from '../../keys.ts'
import { isAboutMailbox } from '../mail-failure.ts'
import { enhancedStatusIn, readReportedFailure, type Report } from './reported-failure.ts'
import { lockReturnedMail, markMailReturned } from './returned-mail.queries.ts'
import { recordMailboxRefusal } from './mailbox-refusal.queries.ts'
import { findMailOfReturnPath } from './return-path.ts'

/** The result for a returned message. Only the first two change anything. */
export type BounceOutcome = 'marked' | 'noted' | 'not_ours' | 'no_report' | 'not_failed' | 'mail_unknown'

/** Headers in which mail servers write the delivery address. */
const namesOfRecipient = ['x-original-to', 'delivered-to', 'envelope-to', 'x-envelope-to', 'to']

type Headers = ReadonlyMap<string, readonly string[]>
type Part = { headers: Headers; body: string }

const partsMax = 20
const groupsMax = 100
/** Anyone may write to a return path, so only the beginning of very long headers is read. */
const headMax = 100_000

/** Splits a message into its headers, by lowercase name, and its body. */
function readMessage(raw: string): Part {
  const text = raw.replaceAll('\r\n', '\n')
  const end = text.indexOf('\n\n')
  const head = text.slice(0, Math.min(end < 0 ? text.length : end, headMax))
  const headers = new Map<string, string[]>()
  // A line that starts with a blank continues the previous header.
  for (const line of head.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name, value = ''] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? []
    if (!name) continue
    const values = headers.get(name.toLowerCase()) ?? []
    headers.set(name.toLowerCase(), values)
    values.push(value.trim())
  }
  return { headers, body: end < 0 ? '' : text.slice(end + 2) }
}

/**
 * What a delivery report (RFC 3464) says about the recipient: undefined for any other message, and for reports
 * of a delay or a success. Of its text only codes are kept.
 */
function readReport({ headers, body }: Part): Report | undefined {
  const type = headers.get('content-type')?.[0] ?? ''
  if (!/^multipart\/report\b/i.test(type)) return undefined
  const boundary =
    /\bboundary="([^"]{1,70})"/i.exec(type)?.[1] ?? /\bboundary=([^\s;"]{1,70})/i.exec(type)?.[1]
  if (!boundary) return undefined
  const parts = `\n${body}`
    .split(`\n--${boundary}`)
    .slice(1, partsMax)
    .map((part) => readMessage(part.replace(/^[^\n]*\n/, '')))
  const status = parts.find(({ headers }) =>
    /^message\/(global-)?delivery-status\b/i.test(headers.get('content-type')?.[0] ?? ''),
  )
  if (!status) return undefined
  // The first group is about the message, each following one about a recipient.
  const failed = decode(status)
    .split(/\n[ \t]*\n/, groupsMax)
    .map((group) => readMessage(group).headers)
    .filter((group) => /^failed\b/i.test(group.get('action')?.[0] ?? ''))
    .flatMap((group) => readFailure(group) ?? [])
  return failed.find(({ isForGood }) => isForGood) ?? failed[0]
}

function decode({ headers, body }: Part): string {
  const encoding = headers.get('content-transfer-encoding')?.[0]?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('latin1').replaceAll('\r\n', '\n')
  if (encoding !== 'quoted-printable') return body
  return body
    .replaceAll(/=\n/g, '')
    .replaceAll(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** What a group about a recipient says. A group without a status says nothing. */
function readFailure(group: Headers): Report | undefined {
  const status = enhancedStatusIn(group.get('status')?.[0] ?? '')
  if (status === undefined || status.startsWith('2')) return undefined
  const isForGood = status.startsWith('5')
  const answer = /^smtp\s*;\s*(.*)$/i.exec(group.get('diagnostic-code')?.[0] ?? '')?.[1] ?? ''
  return { failure: readReportedFailure(status, answer, isForGood), isForGood }
}

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
  return transaction(db, (db) => recordReturned(db, id, report))
}

/** In a transaction. Records that an email was returned, and marks its mailbox if that is the reason. */
export async function recordReturned(
  db: Tx,
  id: string,
  { failure, isForGood }: Report,
): Promise<'marked' | 'noted' | 'mail_unknown'> {
  const mail = await lockReturnedMail(db, id)
  if (!mail) return 'mail_unknown'
  // Anyone with the email's headers can report it once, and not again after the mailbox was reached.
  if (!mail.may_return) return 'noted'
  await markMailReturned(db, id, failure)
  if (!isForGood || !isAboutMailbox(failure) || mail.was_reached_since) return 'noted'
  await recordMailboxRefusal(db, mail.to_address, failure, { isReported: true })
  return 'marked'
}

/** Bounded, so that any header is matched in linear time. */
const anAddress = /[^\s<>,"@]{1,64}@[^\s<>,"@]{1,255}/g

const recipientsOf = (headers: Headers): string[] =>
  namesOfRecipient.flatMap((name) =>
    (headers.get(name) ?? []).flatMap((value) => value.match(anAddress) ?? []),
  )

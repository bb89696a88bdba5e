import { noteOutage } from '../note-outage.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import type { Services } from '../services.ts'
import { codeLifeOf } from './code-lives.ts'
import {
  extendClaim,
  markMailFailed,
  markMailSent,
  postponeMail,
  releaseMail,
  type ClaimedMail,
} from './mail.queries.ts'
import {
  failureOf,
  fateOf,
  isAboutMailbox,
  isBareRefusal,
  troubleOf,
  type MailFailure,
  type MailFate,
} from './mail-failure.ts'
import {
  noteAccepted,
  noteRefusal,
  findRefusalOfAddress,
  takeTrial,
  wasRefusedBefore,
} from './bounces/mailbox-refusal.queries.ts'
import { returnPathOf } from './bounces/return-path.ts'
import { isNeverWithheld, mayBeTrial } from './bounces/withheld-kinds.ts'
import { openMail } from './sealed-mail.ts'
import { limitsOfDelivery, type SmtpTransport } from './smtp-transport.ts'

/** How long a claimed mail is nobody else’s: longer than an attempt may take, so that no slow server is given it twice. */
const margin = MINUTE
export const lease = limitsOfDelivery.readiness + margin
/** From when the server asks for the message on. */
export const leaseOfMessage = limitsOfDelivery.acceptance + margin

export const messageIdOf = (id: string, { publicUrl }: Services['config']): string =>
  `<${id}@${publicUrl.hostname}>`

/** The headers that every mail has, besides those of its reader and text. */
export const fixedHeaders = { 'Auto-Submitted': 'auto-generated' }

/**
 * Where sample people live, and what is left of erased accounts. Of the names that are nobody’s for ever (RFC 2606), `.example` as a
 * whole is left to those who try the program with a mail server of their own.
 */
const reserved = /(?:@people\.example|[@.]invalid)$/i

type Attempt = {
  transport: SmtpTransport
  /** Ends it, unless the server has asked for the message already. */
  signal?: AbortSignal
  waits: readonly number[]
}

/**
 * One attempt to deliver a claimed mail. What its reader’s server refuses for good has failed; of anything else `waits` says how long it
 * waits. Once nothing is left there it has failed too, unless what is wrong is ours: then it waits until that is put right. A code that
 * has expired is not mailed any more.
 */
export async function tryMail(
  services: Services,
  mail: ClaimedMail,
  { transport, signal, waits }: Attempt,
): Promise<MailFailure | undefined> {
  const { db } = services
  const life = codeLifeOf(mail.kind)
  const hasExpired = life !== undefined && Number(mail.age_ms) >= life
  const refusal = await findRefusalOfAddress(db, mail.to_address)
  const isWithheld =
    refusal !== undefined &&
    !isNeverWithheld(mail) &&
    !(mayBeTrial(mail.kind) && (await takeTrial(db, refusal.member_id, mail.id)))
  let heldUntil = 0
  const failure = hasExpired
    ? { error: 'code_expired' }
    : isWithheld
      ? { error: 'mailbox_marked' }
      : reserved.test(mail.to_address)
        ? { error: 'ENOTFOUND' }
        : await deliver(services, mail, { transport, ...(signal && { signal }) }).then((until) => {
            heldUntil = until
          }, failureOf)
  if (!failure) {
    await noteSent(db, mail, heldUntil)
    if (refusal) await noteAccepted(db, refusal.member_id)
    return undefined
  }
  if (signal?.aborted && failure.error === 'ETIMEDOUT' && failure.step === 'CONN') {
    await releaseMail(db, mail)
    return failure
  }
  const fate = hasExpired || isWithheld || reserved.test(mail.to_address) ? 'never' : fateOf(failure)
  tell(services, mail, failure, fate)
  const wait = waitOf(fate, waits, mail.attempts - mail.round_from - 1)
  if (wait !== undefined) await postponeMail(db, mail, wait, failure)
  else await markMailFailed(db, mail, failure, { isErased: hasExpired })
  if (isAboutMailbox(failure) || (isBareRefusal(failure) && (await wasRefusedBefore(db, mail))))
    await noteRefusal(db, mail.to_address, failure, { isReported: false })
  return failure
}

const noteAgainAfter = SECOND

/**
 * The server has the mail. Where that cannot be noted, as while the database is away, it is tried again as long as the mail is nobody
 * else’s: else it would be handed over twice.
 */
async function noteSent(db: Services['db'], mail: ClaimedMail, heldUntil: number): Promise<void> {
  for (;;)
    try {
      return await markMailSent(db, mail)
    } catch (error) {
      if (Date.now() + noteAgainAfter >= heldUntil) throw error
      await pause(noteAgainAfter, undefined, { ref: false })
    }
}

/** Once it is put right, nobody should wait much longer. */
const waitForUs = HOUR

function waitOf(fate: MailFate, waits: readonly number[], failed: number): number | undefined {
  if (fate === 'never') return undefined
  const wait = waits[failed]
  if (fate === 'later' || waits.length === 0) return wait
  return Math.min(wait ?? waitForUs, waitForUs)
}

/** Mails that wait for our own mail server have one cause, which is logged once; each row says the rest. */
function tell({ log }: Services, mail: ClaimedMail, failure: MailFailure, fate: MailFate): void {
  if (fate === 'ours') return noteOutage(log, 'mail', { code: failure.error })
  const { id, kind, attempts } = mail
  log.warn(
    { mail: id, kind, attempts, code: failure.error, trouble: troubleOf(failure) },
    'a mail was not delivered',
  )
}

/** Returns until when the mail is nobody else’s. */
async function deliver(
  { db, keys, config }: Services,
  mail: ClaimedMail,
  { transport, signal }: Pick<Attempt, 'transport' | 'signal'>,
): Promise<number> {
  const message = open(keys, mail)
  let heldUntil = 0
  // An object, so that a comma in the address cannot make two of it.
  const to = { name: '', address: mail.to_address }
  await transport.send(
    {
      from: config.mailFrom,
      to,
      ...(config.bounceAddress && {
        envelope: { from: returnPathOf(keys, config.bounceAddress, mail.id), to },
      }),
      messageId: mail.message_id ?? messageIdOf(mail.id, config),
      // Handed over again after a crash it is the same message to the byte: servers that drop what they have compare more than its name.
      date: beginningOf(mail),
      baseBoundary: mail.id,
      ...message,
      headers: { ...fixedHeaders, ...message.headers },
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    {
      ...(signal && { signal }),
      onReady: async () => {
        heldUntil = Date.now() + leaseOfMessage
        if (!(await extendClaim(db, mail, leaseOfMessage)))
          throw Object.assign(new Error('the mail is in other hands'), { code: 'claim_lost' })
      },
    },
  )
  return heldUntil
}

/** When it was first given to a server; of a mail that the staff sends again, when that was begun. */
function beginningOf({ tries, round_from, attempts }: ClaimedMail): Date {
  const [first] = (tries as { at: string }[]).slice(round_from - attempts)
  return new Date(first!.at)
}

function open(keys: Services['keys'], { id, sealed_message }: ClaimedMail) {
  try {
    return openMail(keys, { id, sealed_message: sealed_message! })
  } catch {
    throw Object.assign(new Error('a message that cannot be opened'), { code: 'unreadable' })
  }
}

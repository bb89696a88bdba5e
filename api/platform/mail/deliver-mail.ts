import { logOutage } from '../log-outage.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { Services } from '../services.ts'
import { canBeTrial, canBeTurnedOff, isNeverWithheld, mailRuleOf } from './mail-kinds.ts'
import {
  extendClaim,
  markMailFailed,
  markMailSent,
  postponeMail,
  releaseMail,
  type ClaimedMail,
} from './mail.queries.ts'
import {
  complaint,
  failureOf,
  fateOf,
  isAboutMailbox,
  isBareRefusal,
  failureReasonOf,
  type MailFailure,
  type MailOutcome,
} from './mail-failure.ts'
import {
  recordAccepted,
  recordMailboxRefusal,
  findRefusalOfAddress,
  claimTrial,
  wasRefusedBefore,
} from './bounces/mailbox-refusal.queries.ts'
import { returnPathOf } from './bounces/return-path.ts'
import { trackingHeadersOf } from './bounces/tracking-headers.ts'
import { openMail } from './encrypted-email.ts'
import { attachmentsOf } from './mail-logo.ts'
import { limitsOfDelivery, type SmtpTransport } from './smtp-transport.ts'

/** Extra time of a claim beyond the longest attempt, so that a slow server never receives an email twice. */
const margin = MINUTE
export const lease = limitsOfDelivery.readiness + margin
/** Lease from when the server asks for the message. */
export const leaseOfMessage = limitsOfDelivery.acceptance + margin

/** The delays after failed attempts; after the last one the email has failed. About two days in total. */
export const retryWaits: readonly number[] = [
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

export const messageIdOf = (id: string, { publicUrl }: Services['config']): string =>
  `<${id}@${publicUrl.hostname}>`

/** Headers of every email, in addition to those for its recipient and text. */
export const fixedHeaders = { 'Auto-Submitted': 'auto-generated' }

/**
 * Domains of sample people and erased accounts. Of the reserved names (RFC 2606), `.example` in general stays
 * usable for trying the program with a local mail server.
 */
const reserved = /(?:@people\.example|[@.]invalid)$/i

type Attempt = {
  transport: SmtpTransport
  /** Aborts it, unless the server has already asked for the message. */
  signal?: AbortSignal
  waits: readonly number[]
}

/**
 * One attempt to deliver a claimed email. If the recipient's server refuses it permanently, it has failed;
 * after any other error `waits` tells how long to wait. Without further waits it has failed too, unless the
 * cause is on our side: then it waits until that is fixed. An expired code is no longer emailed.
 */
export async function tryMail(
  services: Services,
  mail: ClaimedMail,
  { transport, signal, waits }: Attempt,
): Promise<MailFailure | undefined> {
  const { db } = services
  const refusal = await findRefusalOfAddress(db, mail.to_address)
  const obstacle = await findObstacle(db, mail, refusal)
  let heldUntil = 0
  const failure =
    obstacle ??
    (await deliver(services, mail, { transport, ...(signal && { signal }) }).then((until) => {
      heldUntil = until
    }, failureOf))
  if (!failure) {
    await recordResponse(db, mail, heldUntil)
    if (refusal) await recordAccepted(db, refusal.member_id)
    return undefined
  }
  if (signal?.aborted && failure.error === 'ETIMEDOUT' && failure.step === 'CONN') {
    await releaseMail(db, mail)
    return failure
  }
  const fate = obstacle ? 'never' : fateOf(failure)
  tell(services, mail, failure, fate)
  const wait = waitOf(fate, waits, mail.attempts - mail.round_from - 1)
  if (wait !== undefined) await postponeMail(db, mail, wait, failure)
  else await markMailFailed(db, mail, failure, { isErased: hasExpired(mail) })
  if (isAboutMailbox(failure) || (isBareRefusal(failure) && (await wasRefusedBefore(db, mail))))
    await recordMailboxRefusal(db, mail.to_address, failure, { isReported: false })
  return failure
}

/** Returns why an email is not handed to a server at all. */
async function findObstacle(
  db: Services['db'],
  mail: ClaimedMail,
  refusal: Refusal | undefined,
): Promise<MailFailure | undefined> {
  const isWithheld = refusal !== undefined && (await mustWithhold(db, mail, refusal))
  if (hasExpired(mail)) return { error: 'code_expired' }
  if (isWithheld) return { error: 'mailbox_marked' }
  return reserved.test(mail.to_address) ? { error: 'ENOTFOUND' } : undefined
}

type Refusal = { member_id: string; error: string }

/** After a complaint, the mailbox works, so there is nothing to test. */
async function mustWithhold(
  db: Services['db'],
  mail: ClaimedMail,
  { member_id, error }: Refusal,
): Promise<boolean> {
  if (isNeverWithheld(mail)) return false
  if (error === complaint) return canBeTurnedOff(mail.kind)
  return !(canBeTrial(mail.kind) && (await claimTrial(db, member_id, mail.id)))
}

function hasExpired({ kind, age_ms }: ClaimedMail): boolean {
  const life = mailRuleOf(kind)?.expiresAfter
  return life !== undefined && Number(age_ms) >= life
}

const noteAgainAfter = SECOND

/**
 * The server has accepted the email. If that can't be recorded, for example during a database outage, recording
 * is retried for the duration of the lease; otherwise it would be handed over twice.
 */
async function recordResponse(db: Services['db'], mail: ClaimedMail, heldUntil: number): Promise<void> {
  for (;;)
    try {
      return await markMailSent(db, mail)
    } catch (error) {
      if (Date.now() + noteAgainAfter >= heldUntil) throw error
      await pause(noteAgainAfter, undefined, { ref: false })
    }
}

/** Short enough that nobody waits much longer once the problem is fixed. */
const waitForUs = HOUR

function waitOf(fate: MailOutcome, waits: readonly number[], failed: number): number | undefined {
  if (fate === 'never') return undefined
  const wait = waits[failed]
  if (fate === 'later' || waits.length === 0) return wait
  return Math.min(wait ?? waitForUs, waitForUs)
}

/** Failures of our own mail server have one cause, which is logged once; each row has the details. */
function tell({ log }: Services, mail: ClaimedMail, failure: MailFailure, fate: MailOutcome): void {
  if (fate === 'ours') return logOutage(log, 'mail', { code: failure.error })
  const { id, kind, attempts } = mail
  log.warn(
    { mail: id, kind, attempts, code: failure.error, trouble: failureReasonOf(failure) },
    'an email was not delivered',
  )
}

/** Returns when the lease ends. */
async function deliver(
  { db, keys, config }: Services,
  mail: ClaimedMail,
  { transport, signal }: Pick<Attempt, 'transport' | 'signal'>,
): Promise<number> {
  const message = open(keys, mail)
  let heldUntil = 0
  // An object, so that a comma in the address can't create a second recipient.
  const to = { name: '', address: mail.to_address }
  await transport.send(
    {
      from: config.mailFrom,
      to,
      ...(config.bounceAddress && {
        envelope: { from: returnPathOf(keys, config.bounceAddress, mail.id), to },
      }),
      messageId: mail.message_id ?? messageIdOf(mail.id, config),
      // A message handed over again after a crash is identical byte for byte, because servers that drop
      // duplicates compare more than the ID.
      date: beginningOf(mail),
      baseBoundary: mail.id,
      ...message,
      attachments: attachmentsOf(message.html),
      headers: { ...fixedHeaders, ...trackingHeadersOf(config, keys, mail.id), ...message.headers },
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

/** When it was first given to a server or, for a resent email, when the new round started. */
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

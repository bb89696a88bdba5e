import { createTransport, type Transporter } from 'nodemailer'
import { MINUTE, SECOND } from '#contract/durations.ts'
import type { Services } from '../services.ts'
import { codeLifeOf } from './code-lives.ts'
import { extendClaim, markMailFailed, markMailSent, postponeMail, type ClaimedMail } from './mail.queries.ts'
import { failureOf, type MailFailure } from './mail-failure.ts'
import { openMail } from './sealed-mail.ts'

/** Held for as long as an attempt lasts; after a crash the mail is due again so soon. */
export const lease = MINUTE

export const openTransport = (smtpUrl: string, patience = 30 * SECOND): Transporter =>
  createTransport(smtpUrl, {
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: patience,
  } as object)

export const messageIdOf = (id: string, { publicUrl }: Services['config']): string =>
  `<${id}@${publicUrl.hostname}>`

/** The headers that every mail has, besides those of its reader and text. */
export const fixedHeaders = { 'Auto-Submitted': 'auto-generated' }

/**
 * Where sample people live, and what is left of erased accounts. Of the names that are nobody’s for ever (RFC 2606), `.example` as a
 * whole is left to those who try the program with a mail server of their own.
 */
const reserved = /(?:@people\.example|[@.]invalid)$/i

type Attempt = { transport: Transporter; isStopped?: () => boolean; waits: readonly number[] }

/**
 * One attempt to deliver a claimed mail. After a failure it waits as long as `waits` says, and has failed when nothing is
 * left there. A code that has expired is not mailed any more.
 */
export async function tryMail(
  services: Services,
  mail: ClaimedMail,
  { transport, isStopped = () => false, waits }: Attempt,
): Promise<MailFailure | undefined> {
  const { db, log } = services
  const life = codeLifeOf(mail.kind)
  const hasExpired = life !== undefined && Number(mail.age_ms) >= life
  const holding = setInterval(
    // What cannot be held is tried again in time, as after a crash.
    () => isStopped() || void extendClaim(db, mail, lease).catch(() => {}),
    lease / 3,
  )
  const hasNoMailbox = reserved.test(mail.to_address)
  const failure = hasExpired
    ? { error: 'code_expired' }
    : hasNoMailbox
      ? { error: 'ENOTFOUND' }
      : await deliver(services, transport, mail).then(() => undefined, failureOf)
  clearInterval(holding)
  if (!failure) {
    await markMailSent(db, mail)
    return undefined
  }
  log.warn(
    { mail: mail.id, kind: mail.kind, attempts: mail.attempts, code: failure.error },
    'a mail was not delivered',
  )
  const wait = hasExpired || hasNoMailbox ? undefined : waits[mail.attempts - mail.round_from - 1]
  if (wait !== undefined) await postponeMail(db, mail, wait, failure)
  else await markMailFailed(db, mail, failure, { isErased: hasExpired })
  return failure
}

async function deliver({ keys, config }: Services, transport: Transporter, mail: ClaimedMail): Promise<void> {
  const message = open(keys, mail)
  await transport.sendMail({
    from: config.mailFrom,
    // An object, so that a comma in the address cannot make two of it.
    to: { name: '', address: mail.to_address },
    messageId: messageIdOf(mail.id, config),
    ...message,
    headers: fixedHeaders,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function open(keys: Services['keys'], { id, sealed_message }: ClaimedMail) {
  try {
    return openMail(keys, { id, sealed_message: sealed_message! })
  } catch {
    throw Object.assign(new Error('a message that cannot be opened'), { code: 'unreadable' })
  }
}

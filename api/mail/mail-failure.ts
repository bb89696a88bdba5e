import type { MailTrouble } from '#contract/console-mails.ts'

/** Why an attempt failed, in codes: the words of a mail server may hold the address. */
export type MailFailure = {
  /** The SMTP status, or the code of the error. */
  error: string
  /** The enhanced status (RFC 3463), such as `5.1.1`. */
  enhanced?: string
  /** The command that failed, such as `RCPT TO`. */
  step?: string
  /** Our mail server carries no mails for us to others. */
  isRelayRefused?: true
}

type SmtpError = {
  responseCode?: number
  response?: string
  code?: string
  originalCode?: string
  command?: string
}

/** Nothing but codes passes: letters, digits and what joins them. */
const asCode = (value: unknown, lengthMax = 60): string | undefined =>
  typeof value === 'string' && /^[A-Z\d][A-Z\d_ .-]*$/i.test(value) ? value.slice(0, lengthMax) : undefined

export function failureOf(error: unknown): MailFailure {
  if (typeof error !== 'object' || error === null) return { error: 'unknown' }
  const { responseCode, response, code, originalCode, command } = error as SmtpError
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1]
  const step = asCode(command)
  return {
    error: responseCode ? String(responseCode) : (asCode(originalCode) ?? asCode(code) ?? 'unknown'),
    ...(enhanced && { enhanced }),
    ...(step && { step }),
    // The one case that no code tells from a refusal by the recipient’s own server.
    ...(/\brelay/i.test(response ?? '') && Number(responseCode) >= 500 && { isRelayRefused: true as const }),
  }
}

const byCode: Readonly<Record<string, MailTrouble>> = {
  code_expired: 'code_expired',
  mailbox_marked: 'mailbox_marked',
  unreadable: 'unreadable',
  EAUTH: 'authentication',
  ENOAUTH: 'authentication',
  EOAUTH2: 'authentication',
  ETLS: 'tls',
  EREQUIRETLS: 'tls',
  EPROTO: 'tls',
  ECONNREFUSED: 'connection_refused',
  EDNS: 'host_unknown',
  ENOTFOUND: 'host_unknown',
  EAI_AGAIN: 'host_unknown',
  ETIMEDOUT: 'timed_out',
  EHOSTUNREACH: 'timed_out',
  ENETUNREACH: 'timed_out',
  ECONNRESET: 'connection_lost',
  ECONNECTION: 'connection_lost',
  EPIPE: 'connection_lost',
  ESOCKET: 'connection_lost',
  EENVELOPE: 'address_invalid',
  EMESSAGE: 'too_large',
}

/** RFC 3463: the subject and the detail tell more than the class. */
const byEnhanced: readonly (readonly [RegExp, MailTrouble])[] = [
  [/^[45]\.1\.[1236]$|^5\.1\.10$|^[45]\.2\.1$/, 'mailbox_unknown'],
  [/^[45]\.1\.[78]$/, 'sender_refused'],
  [/^[45]\.2\.2$/, 'mailbox_full'],
  [/^5\.(2\.3|3\.4)$/, 'too_large'],
  [/^5\.7\.(8|9|14|57)$/, 'authentication'],
  [/^5\.7\.(10|11)$/, 'tls'],
  [/^5\.7\./, 'policy'],
]

/** The mail system or the way to it, such as a limit of our relay for the day (`5.1.90` is Microsoft’s): it passes. */
const passing = /^5\.(?:[34]\.|1\.90$)/

/** Says no more than the status. */
const isBare = (enhanced: string | undefined): boolean => enhanced === undefined || enhanced === '5.0.0'

/** What it means, for people. */
export function troubleOf({ error, enhanced, step = '', isRelayRefused }: MailFailure): MailTrouble {
  if (isRelayRefused) return 'relay_refused'
  const known = byCode[error]
  if (known) return known
  if (/CERT|SSL|TLS|SIGN/.test(error)) return 'tls'
  const status = /^[45]\d\d$/.test(error) ? Number(error) : undefined
  if (status === undefined) return 'unknown'
  if ([530, 534, 535, 538].includes(status)) return 'authentication'
  const detailed = enhanced && byEnhanced.find(([pattern]) => pattern.test(enhanced))?.[1]
  if (detailed) return detailed
  if (status === 452 && step === 'RCPT TO') return 'mailbox_full'
  if (status < 500) return 'try_later'
  if (passing.test(enhanced ?? '') && !step.startsWith('MAIL FROM'))
    return step === 'REPORT' ? 'refused' : 'try_later'
  if (status === 552) return step === 'RCPT TO' ? 'mailbox_full' : 'too_large'
  if (step.startsWith('MAIL FROM')) return 'sender_refused'
  if (status === 501 || status === 553) return 'address_invalid'
  if (status === 550 || status === 551) {
    if (step === 'DATA') return 'policy'
    return step !== 'REPORT' && isBare(enhanced) ? 'mailbox_unknown' : 'refused'
  }
  return status === 554 ? 'policy' : 'refused'
}

/**
 * What becomes of a mail after a failure. `never`: its reader’s server refuses it for good. `later`: it may go another time.
 * `ours`: our mail server, or what we say to it, has to be put right, and every mail waits for that.
 */
export type MailFate = 'never' | 'later' | 'ours'

const oursToMend: ReadonlySet<MailTrouble> = new Set([
  'authentication',
  'tls',
  'connection_refused',
  'host_unknown',
  'sender_refused',
  'relay_refused',
] as const)

export function fateOf(failure: MailFailure): MailFate {
  const { error, enhanced = '', step = 'RCPT TO' } = failure
  const trouble = troubleOf(failure)
  if (oursToMend.has(trouble) && !error.startsWith('4')) return 'ours'
  if (trouble === 'timed_out' && step === 'CONN') return 'ours'
  if (!/^5\d\d$/.test(error))
    return trouble === 'address_invalid' || trouble === 'too_large' ? 'never' : 'later'
  // Refused before any recipient was named, or because the domain of the sender does not vouch for us (RFC 7372).
  const isAboutMail = /^(RCPT TO|DATA|REPORT)/.test(step) || trouble === 'too_large'
  if (!isAboutMail || /^5\.7\.2\d$/.test(enhanced)) return 'ours'
  return trouble === 'try_later' ? 'later' : 'never'
}

/**
 * Refused for good because of the mailbox itself, in so many words: unknown, not an address, moved, without mail, or closed. A full one
 * may be emptied, and 550 alone is also said of limits, lists and spam.
 */
export const isAboutMailbox = (failure: MailFailure): boolean =>
  fateOf(failure) === 'never' && /^5\.(?:1\.(?:1|3|6|10)|2\.1)$/.test(failure.enhanced ?? '')

/** The recipient was refused, and nothing says why. */
export const isBareRefusal = (failure: MailFailure): boolean =>
  fateOf(failure) === 'never' &&
  failure.step === 'RCPT TO' &&
  bareRefusals.includes(failure.error) &&
  isBare(failure.enhanced)

export const bareRefusals: readonly string[] = ['550', '551', '553']

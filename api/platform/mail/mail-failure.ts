import type { MailFailureReason } from '#contract/platform/console-mails.ts'

/** Why an attempt failed, as codes: a mail server's text may contain the address. */
export type MailFailure = {
  /** The SMTP status, or the code of the error. */
  error: string
  /** The enhanced status (RFC 3463), such as `5.1.1`. */
  enhanced?: string
  /** The command that failed, such as `RCPT TO`. */
  step?: string
  /** Our mail server refuses to relay emails for us. */
  isRelayRefused?: true
}

type SmtpError = {
  responseCode?: number
  response?: string
  code?: string
  originalCode?: string
  command?: string
}

/** The code of an email that its recipient reported as spam. It was delivered. */
export const complaint = 'complaint'

/** Keeps codes only: letters, digits, and separators. */
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
    // The only case that no code distinguishes from a refusal by the recipient’s own server.
    ...(/\brelay/i.test(response ?? '') && Number(responseCode) >= 500 && { isRelayRefused: true as const }),
  }
}

const byCode: Readonly<Record<string, MailFailureReason>> = {
  [complaint]: 'complaint',
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

/** RFC 3463: subject and detail are more specific than the class. */
const byEnhanced: readonly (readonly [RegExp, MailFailureReason])[] = [
  [/^[45]\.1\.[1236]$|^5\.1\.10$|^[45]\.2\.1$/, 'mailbox_unknown'],
  [/^[45]\.1\.[78]$/, 'sender_refused'],
  [/^[45]\.2\.2$/, 'mailbox_full'],
  [/^5\.(2\.3|3\.4)$/, 'too_large'],
  [/^5\.7\.(8|9|14|57)$/, 'authentication'],
  [/^5\.7\.(10|11)$/, 'tls'],
  [/^5\.7\./, 'policy'],
]

/**
 * A problem of the mail system or the route, such as our relay's daily limit (`5.1.90` is Microsoft’s):
 * temporary.
 */
const passing = /^5\.(?:[34]\.|1\.90$)/

/** No more specific than the status. */
const isBare = (enhanced: string | undefined): boolean => enhanced === undefined || enhanced === '5.0.0'

/** The meaning of a failure, for people. */
export function failureReasonOf({
  error,
  enhanced,
  step = '',
  isRelayRefused,
}: MailFailure): MailFailureReason {
  if (isRelayRefused) return 'relay_refused'
  const known = byCode[error]
  if (known) return known
  if (/CERT|SSL|TLS|SIGN/.test(error)) return 'tls'
  return /^[45]\d\d$/.test(error) ? reasonOfStatus(Number(error), step, enhanced) : 'unknown'
}

function reasonOfStatus(status: number, step: string, enhanced: string | undefined): MailFailureReason {
  if ([530, 534, 535, 538].includes(status)) return 'authentication'
  const detailed = enhanced && byEnhanced.find(([pattern]) => pattern.test(enhanced))?.[1]
  if (detailed) return detailed
  if (status === 452 && step === 'RCPT TO') return 'mailbox_full'
  if (status < 500) return 'try_later'
  if (passing.test(enhanced ?? '') && !step.startsWith('MAIL FROM'))
    return step === 'REPORT' ? 'refused' : 'try_later'
  return reasonOfRefusal(status, step, enhanced)
}

/** The meaning of a permanent status. */
function reasonOfRefusal(status: number, step: string, enhanced: string | undefined): MailFailureReason {
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
 * What follows from a failure. `never`: permanently refused by the recipient’s server. `later`: may succeed
 * another time. `ours`: our mail server or its settings must be fixed, and every email waits for that.
 */
export type MailOutcome = 'never' | 'later' | 'ours'

const oursToMend: ReadonlySet<MailFailureReason> = new Set([
  'authentication',
  'tls',
  'connection_refused',
  'host_unknown',
  'sender_refused',
  'relay_refused',
] as const)

export function fateOf(failure: MailFailure): MailOutcome {
  const { error, enhanced = '', step = 'RCPT TO' } = failure
  const trouble = failureReasonOf(failure)
  if (oursToMend.has(trouble) && !error.startsWith('4')) return 'ours'
  if (trouble === 'timed_out' && step === 'CONN') return 'ours'
  if (!/^5\d\d$/.test(error))
    return trouble === 'address_invalid' || trouble === 'too_large' ? 'never' : 'later'
  // Refused before any recipient was named, or because the sender's domain does not authorize us (RFC 7372).
  const isAboutMail = /^(RCPT TO|DATA|REPORT)/.test(step) || trouble === 'too_large'
  if (!isAboutMail || /^5\.7\.2\d$/.test(enhanced)) return 'ours'
  return trouble === 'try_later' ? 'later' : 'never'
}

/**
 * Refused permanently and explicitly because of the mailbox: unknown, not an address, moved, without email, or
 * closed. A full mailbox may be emptied, and 550 alone also stands for limits, lists, and spam.
 */
export const isAboutMailbox = (failure: MailFailure): boolean =>
  fateOf(failure) === 'never' && /^5\.(?:1\.(?:1|3|6|10)|2\.1)$/.test(failure.enhanced ?? '')

/** The recipient was refused without a reason. */
export const isBareRefusal = (failure: MailFailure): boolean =>
  fateOf(failure) === 'never' &&
  failure.step === 'RCPT TO' &&
  bareRefusals.includes(failure.error) &&
  isBare(failure.enhanced)

export const bareRefusals: readonly string[] = ['550', '551', '553']

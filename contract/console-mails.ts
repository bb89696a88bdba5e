import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'
import { emailLengthMax, id, language, line, noBody, page, time } from './fields.ts'

/** `retrying`: an attempt has failed and another one follows. `sending`: a worker has it in hand at this moment. */
export const mailStates = ['waiting', 'sending', 'retrying', 'sent', 'failed', 'stopped'] as const
export type ConsoleMailState = (typeof mailStates)[number]

/** What keeps a mail from its reader. */
export const mailTroubles = [
  'mailbox_unknown',
  'mailbox_full',
  'try_later',
  'policy',
  'sender_refused',
  'relay_refused',
  'too_large',
  'address_invalid',
  'refused',
  'authentication',
  'tls',
  'connection_refused',
  'host_unknown',
  'timed_out',
  'connection_lost',
  'interrupted',
  'code_expired',
  'mailbox_marked',
  'unreadable',
  'unknown',
] as const
export type MailTrouble = (typeof mailTroubles)[number]

export const mailSorts = ['created', '-created', 'changed', '-changed'] as const
export type MailSortOrder = (typeof mailSorts)[number]

/** A day of UTC. */
const day = z.string().check(
  z.regex(/^[12]\d{3}-\d\d-\d\d$/, 'date'),
  z.refine((value) => {
    const at = new Date(`${value}T00:00:00Z`)
    return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === value
  }, 'date'),
)

const filters = {
  /** Where the address begins like this. */
  recipient: z.optional(line(emailLengthMax)),
  /** `sending` ones are among the waiting. */
  state: z.optional(z.enum(['waiting', 'retrying', 'sent', 'failed', 'stopped'], 'one_of')),
  kind: z.optional(line(60)),
  /** The days of which it was written, both included. */
  from: z.optional(day),
  to: z.optional(day),
  sort: z.optional(z.enum(mailSorts, 'one_of')),
}
export const mailFilters = z.strictObject(filters)
export type MailFilters = z.infer<typeof mailFilters>

const trouble = z.nullable(z.enum(mailTroubles))

export const consoleMail = z.object({
  id,
  to: z.string(),
  kind: z.string(),
  /** The subject of its template in the language of the call, without values. */
  title: z.string(),
  state: z.enum(mailStates),
  attempts: z.number(),
  /** Why it is not delivered yet. */
  trouble,
  /** The status of the mail server, such as 550, or the code of the failure. */
  code: z.nullable(z.string()),
  createdAt: time,
  changedAt: time,
  sentAt: z.nullable(time),
  /** Of one that waits. */
  nextTryAt: z.nullable(time),
})
export type ConsoleMail = z.infer<typeof consoleMail>

export const listMails = endpoint('GET', 'admin/mails', {
  about:
    'The outbox of the last 30 days, by state, kind, recipient and day. Mails about identity and orders only with a finance level or as an administrator.',
  access: staff('employee', 1),
  recordsReading: 'mail',
  query: z.strictObject({
    ...filters,
    ...page.shape,
  }),
  output: z.array(consoleMail),
})

export const exportMails = endpoint('GET', 'admin/mails/csv', {
  about: 'The same list as CSV, all pages. Takes fresh proof.',
  access: staff('employee', 1),
  recordsReading: 'mail',
  query: mailFilters,
  output: z.unknown(),
  answersBytes: true,
  answersAlso: 'text/csv',
  errors: ['step_up_required'],
})

/** Counting stops there. */
export const mailCountMax = 10_000
const bounded = z.object({ count: z.number(), isMore: z.boolean() })

export const mailFigures = z.object({
  waiting: bounded,
  retrying: bounded,
  failed: bounded,
  stopped: bounded,
})
export type MailFigures = z.infer<typeof mailFigures>

export const readMailFigures = endpoint('GET', 'admin/mails/figures', {
  about: 'How many mails wait, are tried again, failed or were stopped, of those that the caller may list.',
  access: staff('employee', 1),
  output: mailFigures,
})

const rendered = z.object({ subject: z.string(), text: z.string(), html: z.string() })
export type ShownMail = z.infer<typeof rendered>

/** Why a mail is not sent again, or not stopped. */
const obstacle = z.nullable(
  z.enum([
    'mail_in_hand',
    'mail_delivered',
    'mail_text_gone',
    'mail_expired',
    'mail_address_changed',
    'conflict',
  ]),
)

export const consoleMailDetail = z.extend(consoleMail, {
  /** Whose address it was when it was written; null where it was nobody's. */
  memberId: z.nullable(id),
  language: z.nullable(language),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Each attempt, the oldest first; an old release kept none. */
  tries: z.array(
    z.object({
      at: time,
      /** Null while it is under way, and where the program was interrupted. */
      endedAt: z.nullable(time),
      trouble,
      /** As the mail server gave it, such as `550 5.1.1`. */
      code: z.nullable(z.string()),
      /** The command that failed, such as `RCPT TO`. */
      step: z.nullable(z.string()),
    }),
  ),
  /** What staff did with it. */
  actions: z.array(z.object({ at: time, what: z.enum(['sent_again', 'stopped']), by: z.string() })),
  /**
   * With employee 2: how it looks, codes, links and the anti-phishing phrase covered. Once the text is erased, how its
   * template looks without values.
   */
  content: z.nullable(z.extend(rendered, { isTemplate: z.boolean() })),
  /** Whether the caller may read and do what takes employee 2. */
  mayAct: z.boolean(),
  againObstacle: obstacle,
  stopObstacle: obstacle,
})
export type ConsoleMailDetail = z.infer<typeof consoleMailDetail>

export const getMail = endpoint('GET', 'admin/mails/:id', {
  about: 'One mail with its attempts and, with employee 2, how it looks, codes and links covered.',
  access: staff('employee', 1),
  recordsReading: 'mail',
  params: z.strictObject({ id }),
  output: consoleMailDetail,
  errors: ['not_found'],
})

const one = z.strictObject({ id })

export const sendMailAgain = endpoint('POST', 'admin/mails/sendagain', {
  about:
    'Try a waiting mail now, or one that failed or was stopped once more. Never one that a worker has in hand, whose code has expired, or whose reader has another address now.',
  access: staff('employee', 2),
  body: one,
  output: consoleMail,
  errors: [
    'not_found',
    'mail_in_hand',
    'mail_delivered',
    'mail_text_gone',
    'mail_expired',
    'mail_address_changed',
  ],
})

export const stopMail = endpoint('POST', 'admin/mails/stop', {
  about:
    'Not send a mail that waits. Takes fresh proof: mails warn members of what is done with their accounts.',
  access: staff('employee', 2),
  body: one,
  output: consoleMail,
  errors: ['not_found', 'conflict', 'mail_in_hand', 'mail_delivered', 'step_up_required'],
})

export const sendTestMail = endpoint('POST', 'admin/mails/test', {
  about:
    'Send a mail to oneself at once, and read what the mail server answered. Five in a quarter of an hour.',
  access: staff('employee', 2),
  body: noBody,
  output: z.object({
    id,
    to: z.string(),
    /** `waiting`: no mail server is set up. */
    outcome: z.enum(['sent', 'failed', 'waiting']),
    trouble,
    code: z.nullable(z.string()),
    step: z.nullable(z.string()),
  }),
})

export const mailTemplate = z.object({
  kind: z.string(),
  title: z.string(),
  isAboutFinance: z.boolean(),
})
export type MailTemplate = z.infer<typeof mailTemplate>

export const listMailTemplates = endpoint('GET', 'admin/mails/templates', {
  about: 'Every sort of mail with its subject in the language of the call.',
  access: staff('employee', 1),
  output: z.array(mailTemplate),
})

export const getMailTemplate = endpoint('GET', 'admin/mails/templates/:kind', {
  about: 'One sort of mail with sample values in both languages.',
  access: staff('employee', 1),
  params: z.strictObject({ kind: line(60) }),
  output: z.object({ kind: z.string(), en: rendered, cn: rendered }),
  errors: ['not_found'],
})

import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'
import { day, emailLengthMax, id, language, line, noBody, time } from './fields.ts'
import { resource, sortedBy, type FiltersOf } from './resource.ts'

/** `retrying`: an attempt failed and another one follows. `sending`: a worker is sending it now. */
export const mailStates = ['waiting', 'sending', 'retrying', 'sent', 'failed', 'stopped'] as const
export type ConsoleMailState = (typeof mailStates)[number]

/** Reasons why an email does not reach its recipient. */
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

const trouble = z.nullable(z.enum(mailTroubles))

export const consoleMail = z.object({
  id,
  to: z.string(),
  kind: z.string(),
  /** The subject of its template in the language of the call, without values. */
  title: z.string(),
  state: z.enum(mailStates),
  attempts: z.number(),
  /** Why it has not been delivered yet. */
  trouble,
  /** The mail server's status, such as 550, or the code of the failure. */
  code: z.nullable(z.string()),
  createdAt: time,
  changedAt: time,
  sentAt: z.nullable(time),
  /** Set if it is waiting. */
  nextTryAt: z.nullable(time),
})
export type ConsoleMail = z.infer<typeof consoleMail>

/** Counting stops here. */
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

/** Why an email can't be resent or stopped. */
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
  /** The member who had the address when the email was created; null if there was none. */
  memberId: z.nullable(id),
  language: z.nullable(language),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Attempts, oldest first. Old releases did not record any. */
  tries: z.array(
    z.object({
      at: time,
      /** Null while the attempt is running, or if the program was interrupted. */
      endedAt: z.nullable(time),
      trouble,
      /** As returned by the mail server, such as `550 5.1.1`. */
      code: z.nullable(z.string()),
      /** The command that failed, such as `RCPT TO`. */
      step: z.nullable(z.string()),
    }),
  ),
  /** Actions taken by staff. */
  actions: z.array(z.object({ at: time, what: z.enum(['sent_again', 'stopped']), by: z.string() })),
  /**
   * Requires employee 2: the rendered email with codes, links, and the anti-phishing phrase masked. Once the
   * text is erased: its template without values.
   */
  content: z.nullable(z.extend(rendered, { isTemplate: z.boolean() })),
  /** Whether the caller has employee 2, which reading and acting requires. */
  mayAct: z.boolean(),
  againObstacle: obstacle,
  stopObstacle: obstacle,
})
export type ConsoleMailDetail = z.infer<typeof consoleMailDetail>

/** The outbox of the last 30 days. */
export const mails = resource({
  path: 'admin/mails',
  name: 'mails',
  about:
    'The outbox of the last 30 days, by state, kind, recipient and day. Mails about identity and orders only with a finance level or as an administrator.',
  access: staff('employee', 1),
  recordsReading: 'mail',
  row: consoleMail,
  filters: {
    /** The beginning of the address. */
    recipient: z.optional(line(emailLengthMax)),
    /** `waiting` includes `sending`. */
    state: z.optional(z.enum(['waiting', 'retrying', 'sent', 'failed', 'stopped'], 'one_of')),
    kind: z.optional(line(60)),
    /** Days on which it was created, both inclusive. */
    from: z.optional(day),
    to: z.optional(day),
    sort: sortedBy('created', '-created', 'changed', '-changed'),
  },
  palette: 'recipient',
  file: { about: 'The same list as CSV, all pages. Takes fresh proof.' },
  detail: {
    about: 'One mail with its attempts and, with employee 2, how it looks, codes and links covered.',
    output: consoleMailDetail,
  },
})
export const { list: listMails, file: exportMails, get: getMail } = mails
export type MailFilters = FiltersOf<typeof mails>

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
    /** `waiting`: no mail server is configured. */
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

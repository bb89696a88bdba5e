import * as z from 'zod/mini'
import { bulk } from './bulk.ts'
import { endpoint, staff } from './endpoint.ts'
import { day, emailLengthMax, id, language, line, noBody, time } from './fields.ts'
import { resource, sortedBy, type FiltersOf } from './resource.ts'

/** `retrying`: an attempt failed and another one will follow. `sending`: a worker is sending it now. */
export const mailStates = ['waiting', 'sending', 'retrying', 'sent', 'failed', 'stopped'] as const
export type ConsoleMailState = (typeof mailStates)[number]

/** Reasons why an email does not reach its recipient. */
export const mailFailureReasons = [
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
  'complaint',
  'unreadable',
  'unknown',
] as const
export type MailFailureReason = (typeof mailFailureReasons)[number]

const trouble = z.nullable(z.enum(mailFailureReasons))

const consoleMail = z.object({
  id,
  to: z.string(),
  kind: z.string(),
  /** The subject of its template in the language of the request, without values. */
  title: z.string(),
  state: z.enum(mailStates),
  attempts: z.number(),
  /** Why it has not been delivered yet, or that its recipient marked it as spam. */
  trouble,
  /** The mail server's status, such as 550, or the code of the failure. */
  code: z.nullable(z.string()),
  createdAt: time,
  changedAt: time,
  sentAt: z.nullable(time),
  /** Set if the email is waiting. */
  nextTryAt: z.nullable(time),
})
export type ConsoleMail = z.infer<typeof consoleMail>

/** Counting stops here. */
export const mailCountMax = 10_000
const bounded = z.object({ count: z.number(), isMore: z.boolean() })

const mailFigures = z.object({
  waiting: bounded,
  retrying: bounded,
  failed: bounded,
  stopped: bounded,
  /** Since when the delivery of emails is paused; null if it isn't. */
  pausedAt: z.nullable(time),
})
export type MailFigures = z.infer<typeof mailFigures>

export const readMailFigures = endpoint('GET', 'admin/mails/figures', {
  about:
    'Count the emails that are waiting, being retried, failed, or stopped, among those that the caller can list.',
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

const consoleMailDetail = z.extend(consoleMail, {
  /** The member who had the address when the email was created; null if there was none. */
  memberId: z.nullable(id),
  language: z.nullable(language),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Delivery attempts, oldest first. Old releases did not record them. */
  tries: z.array(
    z.object({
      at: time,
      /** Null while the attempt is running, or if it was interrupted. */
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
   * Requires employee 2: the rendered email with codes, links, and the anti-phishing phrase redacted. Once the text is
   * erased, its template without values.
   */
  content: z.nullable(z.extend(rendered, { isTemplate: z.boolean() })),
  /** Whether the caller has employee 2, which reading the content and acting on the email require. */
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
    'List the outbox of the last 30 days, filtered by status, type, recipient, and day. Emails about identity and orders require a finance level or administrator rights.',
  access: staff('employee', 1),
  auditsAccess: 'mail',
  row: consoleMail,
  filters: {
    /** The beginning of the address. */
    recipient: z.optional(line(emailLengthMax)),
    /** `waiting` includes `sending`. */
    state: z.optional(z.enum(['waiting', 'retrying', 'sent', 'failed', 'stopped'], 'one_of')),
    kind: z.optional(line(60)),
    /** First and last day of creation, both inclusive. */
    from: z.optional(day),
    to: z.optional(day),
    sort: sortedBy('created', '-created', 'changed', '-changed'),
  },
  palette: 'recipient',
  file: { about: 'Export the same list as CSV, all pages. Requires step-up authentication.' },
  detail: {
    about:
      'Get one email with its delivery attempts. With employee 2, the response includes its content, with codes and links redacted.',
    output: consoleMailDetail,
  },
})
export const { list: listMails, file: exportMails, get: getMail } = mails
export type MailFilters = FiltersOf<typeof mails>

const one = z.strictObject({ id })

export const sendMailAgain = endpoint('POST', 'admin/mails/sendagain', {
  about:
    'Send a waiting email now, or retry one that failed or was stopped. This is not possible while a worker is sending the email, once its code has expired, or if the recipient’s address has changed.',
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
    'Stop a waiting email. Requires step-up authentication, because emails warn members about actions on their accounts.',
  access: staff('employee', 2),
  body: one,
  output: consoleMail,
  errors: ['not_found', 'conflict', 'mail_in_hand', 'mail_delivered', 'step_up_required'],
})

export const sendTestMail = endpoint('POST', 'admin/mails/test', {
  about:
    'Send an email to the caller immediately and return the mail server’s response. Limited to 5 in 15 minutes.',
  access: staff('employee', 2),
  body: noBody,
  output: z.object({
    id,
    to: z.string(),
    /** `waiting`: no mail server is configured, or the delivery of emails is paused. */
    outcome: z.enum(['sent', 'failed', 'waiting']),
    trouble,
    code: z.nullable(z.string()),
    step: z.nullable(z.string()),
  }),
})

export const setMailDelivery = endpoint('POST', 'admin/mails/delivery', {
  about:
    'Pause or resume the delivery of emails in all instances. Emails wait until it is resumed. Codes that expire meanwhile aren’t sent. Pausing requires step-up authentication.',
  access: staff('admin', 2),
  body: z.strictObject({ paused: z.boolean() }),
  output: z.object({ pausedAt: z.nullable(time) }),
  errors: ['step_up_required'],
})

const mailTemplate = z.object({
  kind: z.string(),
  title: z.string(),
  isAboutFinance: z.boolean(),
})
export type MailTemplate = z.infer<typeof mailTemplate>

export const listMailTemplates = endpoint('GET', 'admin/mails/templates', {
  about: 'List all email types with their subjects in the requested language.',
  access: staff('employee', 1),
  output: z.array(mailTemplate),
})

export const getMailTemplate = endpoint('GET', 'admin/mails/templates/:kind', {
  about: 'Get one email type with sample values in both languages.',
  access: staff('employee', 1),
  params: z.strictObject({ kind: line(60) }),
  output: z.object({ kind: z.string(), en: rendered, cn: rendered }),
  errors: ['not_found'],
})

export const sendMailsAgain = bulk(sendMailAgain, 'admin/mails/bulk/sendagain', {
  about: 'Send up to 100 waiting, failed, or stopped emails now, or preview that.',
  input: {},
})

export const stopMails = bulk(stopMail, 'admin/mails/bulk/stop', {
  about: 'Stop up to 100 waiting emails, or preview that.',
  input: {},
})

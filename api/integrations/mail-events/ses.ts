import { verify, X509Certificate } from 'node:crypto'
import { topicPattern } from '../../platform/config/read-mail-events.ts'
import { Refused } from '../../platform/refused.ts'
import { sesTokenHeader } from '../../platform/mail/bounces/tracking-headers.ts'
import {
  at,
  bounceEvent,
  isRecent,
  listAt,
  readJson,
  textAt,
  type EventProvider,
  type MailEvent,
} from './mail-event.ts'

/** Requests an address of Amazon SNS. */
export type FetchText = (url: URL) => Promise<string>

const certificatesMax = 20
const certificatePath = /^\/SimpleNotificationService-[\da-f]{32}\.pem$/

/*
 * SES publishes events to a topic of SNS, which signs them
 * (https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html). Anyone can make SNS sign messages
 * of a topic of their own, so the topic counts too. The certificate is only taken from the host of the topic's region,
 * which proves its identity by TLS. Signatures of version 1 use SHA-1 and are refused.
 *
 * The shapes are those of https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html. SES replaces the
 * Message-ID, but reports the original headers.
 */
export function makeSes(fetchText: FetchText): EventProvider {
  const certificates = new Map<string, Promise<X509Certificate>>()
  const certificateAt = (url: URL): Promise<X509Certificate> => {
    const known = certificates.get(url.href)
    if (known) return known
    if (certificates.size >= certificatesMax) certificates.clear()
    const fetched = fetchText(url)
      .then((text) => new X509Certificate(text))
      .catch(() => {
        certificates.delete(url.href)
        // SNS repeats what a server couldn't handle, but not what it refused.
        throw new Refused('unavailable')
      })
    certificates.set(url.href, fetched)
    return fetched
  }
  return {
    verify: async ({ body }, topic) => {
      const message = readJson(body.toString('utf8'))
      const signed = signedTextOf(message)
      const url = urlOfTopic(topic, textAt(message, 'SigningCertURL'))
      const isOfTopic = textAt(message, 'TopicArn') === topic && textAt(message, 'SignatureVersion') === '2'
      const isPublishedNow = isRecent(Date.parse(textAt(message, 'Timestamp') ?? ''))
      if (!isOfTopic || !isPublishedNow || signed === undefined || !url) return false
      if (!certificatePath.test(url.pathname) || url.search !== '') return false
      const certificate = await certificateAt(url)
      const isValid =
        Date.parse(certificate.validFrom) <= Date.now() && Date.now() <= Date.parse(certificate.validTo)
      const signature = Buffer.from(textAt(message, 'Signature') ?? '', 'base64')
      return isValid && verify('sha256', Buffer.from(signed), certificate.publicKey, signature)
    },
    parse: (body) => eventsIn(readJson(textAt(body, 'Message') ?? '')),
    confirm: async (body) => {
      if (textAt(body, 'Type') !== 'SubscriptionConfirmation') return
      const url = urlOfTopic(textAt(body, 'TopicArn') ?? '', textAt(body, 'SubscribeURL'))
      if (!url) return
      await fetchText(url).catch(() => {
        throw new Refused('unavailable')
      })
    },
  }
}

/** What SNS signs: these fields in this order, each with its name. */
const signedFields: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
}

/** Undefined for other messages. Only the subject can be missing. */
function signedTextOf(message: unknown): string | undefined {
  const type = textAt(message, 'Type') ?? ''
  const names = Object.hasOwn(signedFields, type) ? signedFields[type] : undefined
  const fields = names?.map((name) => [name, textAt(message, name)] as const)
  if (!fields?.every(([name, value]) => value !== undefined || name === 'Subject')) return undefined
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}\n${value}\n`])).join('')
}

/** The URL, if it belongs to SNS in the region of the topic. */
function urlOfTopic(topic: string, text: string | undefined): URL | undefined {
  const region = topicPattern.exec(topic)?.[1]
  if (region === undefined || text === undefined || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const domain = topic.startsWith('arn:aws-cn:') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return url.origin === `https://sns.${region}.${domain}` && url.username === '' ? url : undefined
}

/** Reports about authentication and viruses, and that an email is not spam, are no complaints of its reader. */
const notAboutSpam: readonly unknown[] = ['auth-failure', 'not-spam', 'virus']

function eventsIn(message: unknown): MailEvent[] {
  const header = listAt(message, 'mail', 'headers').find(
    (each) => textAt(each, 'name')?.toLowerCase() === sesTokenHeader.toLowerCase(),
  )
  const token = textAt(header, 'value')
  // Notifications of an identity and events of a configuration set differ in this name.
  const type = textAt(message, 'eventType') ?? textAt(message, 'notificationType')
  if (token === undefined) return []
  if (type === 'Complaint' && !notAboutSpam.includes(at(message, 'complaint', 'complaintFeedbackType')))
    return [{ token, kind: 'complaint' }]
  if (type !== 'Bounce') return []
  // Each of our emails has one recipient.
  const recipient = at(message, 'bounce', 'bouncedRecipients', 0)
  return [
    bounceEvent(token, {
      isPermanent: textAt(message, 'bounce', 'bounceType') === 'Permanent',
      status: textAt(recipient, 'status') ?? '',
      answer: (textAt(recipient, 'diagnosticCode') ?? '').replace(/^smtp\s*;\s*/i, ''),
    }),
  ]
}

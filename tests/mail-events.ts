import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { onTestFinished } from 'vitest'
import { makeHttpServer } from '#api/app.ts'
import { makeEventProviders } from '#api/integrations/mail-events/event-providers.ts'
import { mountMailEvents } from '#api/integrations/mail-events/mount-mail-events.ts'
import type { MailProvider } from '#api/platform/config/read-mail-events.ts'
import { answerFailures } from '#api/platform/http/failures.ts'
import { mailTokenOf } from '#api/platform/mail/bounces/return-path.ts'
import { aSignedInMember } from './builders.ts'
import { makeOwnCertificate } from './setup/own-certificate.ts'
import { lastRow, notify, startPost, type Post } from './setup/post.ts'

export const topic = 'arn:aws:sns:eu-west-1:123456789012:coin-mail'
export const certificateUrl = `https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-${'a1'.repeat(16)}.pem`
const expiredUrl = certificateUrl.replaceAll('a1', 'b2')

const sendgridKeys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const postmarkSecret = randomBytes(24).toString('hex')
const ses = makeOwnCertificate()
const expired = makeOwnCertificate(new Date(Date.now() - 1000))

const settings = {
  MAIL_EVENTS_SES_TOPIC: topic,
  MAIL_EVENTS_POSTMARK_SECRET: postmarkSecret,
  MAIL_EVENTS_SENDGRID_KEY: sendgridKeys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
}

export type MailEvents = Post & {
  /** Sends a request as a provider would, and returns its status. */
  post: (request: Request) => Promise<number>
  /** Addresses that were requested from Amazon. */
  fetched: string[]
}
export type Request = { provider: string; headers?: Record<string, string>; body: string; ip?: string }

/** The API of an installation with three email providers, and a stand-in for the host of Amazon's certificates. */
export async function startMailEvents(
  until: (end: () => Promise<void>) => void = onTestFinished,
): Promise<MailEvents> {
  const post = await startPost(settings, until)
  const fetched: string[] = []
  const providers = makeEventProviders((url) => {
    fetched.push(url.href)
    if (url.pathname === '/') return Promise.resolve('<ConfirmSubscriptionResponse/>')
    if (url.href === certificateUrl) return Promise.resolve(ses.certificate)
    return url.href === expiredUrl ? Promise.resolve(expired.certificate) : Promise.reject(new Error('404'))
  })
  const app = makeHttpServer(post.services.config)
  app.decorate('content', post.services.content)
  answerFailures(app)
  await mountMailEvents(app, post.services, {}, providers)
  return {
    ...post,
    fetched,
    post: async ({ provider, headers = {}, body, ip }) => {
      const options: InjectOptions = {
        method: 'POST',
        url: `/email-events/${provider}`,
        headers: { 'content-type': 'application/json', ...headers },
        payload: body,
        ...(ip !== undefined && { remoteAddress: ip }),
      }
      return (await app.inject(options)).statusCode
    },
  }
}

type Published = Record<string, string> & { SigningCertURL?: string }

/** A message of Amazon SNS (https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html). */
export function ofSns(fields: Published = {}, { key = ses.privateKey, version = '2' } = {}): Request {
  const message: Published = {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: topic,
    Timestamp: new Date().toISOString(),
    ...((fields['Type'] ?? 'Notification') === 'Notification' && {
      Subject: 'Amazon SES Email Event Notification',
    }),
    ...fields,
  }
  const names = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const signed = names.flatMap((name) => (message[name] === undefined ? [] : `${name}\n${message[name]}\n`))
  const hash = version === '1' ? 'sha1' : 'sha256'
  const body = {
    SignatureVersion: version,
    SigningCertURL: certificateUrl,
    ...message,
    Signature: sign(hash, Buffer.from(signed.join('')), key).toString('base64'),
    UnsubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=Unsubscribe',
  }
  // As SNS sends it.
  return {
    provider: 'ses',
    headers: { 'content-type': 'text/plain; charset=UTF-8' },
    body: JSON.stringify(body),
  }
}
export const ofExpiredSns = (fields: Published) =>
  ofSns({ ...fields, SigningCertURL: expiredUrl }, { key: expired.privateKey })

export const ofPostmark = (body: object, secret = postmarkSecret): Request => ({
  provider: 'postmark',
  headers: { authorization: `Basic ${Buffer.from(`postmark:${secret}`).toString('base64')}` },
  body: JSON.stringify(body),
})

export function ofSendgrid(
  events: unknown,
  { at = Date.now(), key = sendgridKeys.privateKey } = {},
): Request {
  const time = String(Math.floor(at / 1000))
  const body = JSON.stringify(events)
  return {
    provider: 'sendgrid',
    headers: {
      'x-twilio-email-event-webhook-timestamp': time,
      'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(time + body), key).toString(
        'base64',
      ),
    },
    body,
  }
}

/** A member with a delivered email, and what a provider knows about it. */
export async function aSentMail(post: MailEvents) {
  const member = await aSignedInMember(post)
  await notify(post, member.email)
  await post.deliver()
  const row = await lastRow(post, member.email)
  return { member, row, sent: { to: member.email, token: mailTokenOf(post.services.keys, row.id) } }
}

export type Sent = { token: string; to: string }
type Bounce = { type: string; subType?: string; status?: string; said?: string }

/** What SES publishes for a configuration set (https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html). */
export const sesEvent = ({ token, to }: Sent, event: object) =>
  JSON.stringify({
    ...event,
    mail: {
      timestamp: '2036-05-01T10:00:00.000Z',
      source: 'no-reply@coin.example',
      messageId: '0102015fd91a5ca3-93c245fe-0000',
      destination: [to],
      headersTruncated: false,
      headers: [
        { name: 'From', value: 'Coin <no-reply@coin.example>' },
        { name: 'X-Mail-Token', value: token },
      ],
    },
  })
export const sesBounce = (sent: Sent, { type, subType = 'General', status, said }: Bounce) =>
  sesEvent(sent, {
    eventType: 'Bounce',
    bounce: {
      bounceType: type,
      bounceSubType: subType,
      bouncedRecipients: [{ emailAddress: sent.to, action: 'failed', status, diagnosticCode: said }],
      timestamp: '2036-05-01T10:00:05.000Z',
    },
  })
const sesComplaint = (sent: Sent) =>
  sesEvent(sent, {
    eventType: 'Complaint',
    complaint: { complainedRecipients: [{ emailAddress: sent.to }], complaintFeedbackType: 'abuse' },
  })

/** https://postmarkapp.com/developer/webhooks/bounce-webhook */
export const postmarkEvent = ({ token, to }: Sent, { type, said = '' }: Pick<Bounce, 'type' | 'said'>) => ({
  RecordType: type === 'SpamComplaint' ? 'SpamComplaint' : 'Bounce',
  MessageStream: 'outbound',
  ID: 42,
  Type: type,
  Name: type,
  MessageID: randomUUID(),
  Metadata: { 'Mail-Token': token },
  Details: said,
  Email: to,
  From: 'no-reply@coin.example',
  BouncedAt: '2036-05-01T10:00:05.000Z',
  Inactive: true,
  Subject: 'A subject',
})

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
export const sendgridEvent = ({ token, to }: Sent, event: object) => ({
  email: to,
  timestamp: 2_093_248_805,
  'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
  sg_event_id: randomUUID(),
  sg_message_id: 'euo2iKxdSayPF4YE4--I7A',
  mail_token: token,
  ...event,
})

/** How each provider says that the mailbox doesn't exist, and that the reader reported spam. */
export const says: Record<MailProvider, Record<'gone' | 'spam', (sent: Sent) => Request>> = {
  ses: {
    gone: (sent) =>
      ofSns({
        Message: sesBounce(sent, {
          type: 'Permanent',
          status: '5.1.1',
          said: 'smtp; 550 5.1.1 user unknown',
        }),
      }),
    spam: (sent) => ofSns({ Message: sesComplaint(sent) }),
  },
  postmark: {
    gone: (sent) => ofPostmark(postmarkEvent(sent, { type: 'HardBounce', said: 'smtp;550 5.1.1 unknown' })),
    spam: (sent) => ofPostmark(postmarkEvent(sent, { type: 'SpamComplaint' })),
  },
  sendgrid: {
    gone: (sent) =>
      ofSendgrid([
        sendgridEvent(sent, { event: 'processed' }),
        sendgridEvent(sent, {
          event: 'bounce',
          type: 'bounce',
          bounce_classification: 'Invalid Address',
          status: '5.1.1',
          reason: '550 5.1.1 The mailbox does not exist',
        }),
      ]),
    spam: (sent) => ofSendgrid([sendgridEvent(sent, { event: 'spamreport' })]),
  },
}

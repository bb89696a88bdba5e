import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { look } from '#api/health/look.ts'
import { endMaintenance, startMaintenance } from '#api/maintenance/switch-maintenance.ts'
import { mailProviders } from '#api/platform/config/read-mail-events.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { findMailOfToken, mailTokenOf } from '#api/platform/mail/bounces/return-path.ts'
import { mail } from '#api/platform/mail/mail.ts'
import { aSignedInMember } from '#tests/builders.ts'
import {
  aSentMail,
  certificateUrl,
  ofExpiredSns,
  ofPostmark,
  ofSendgrid,
  ofSns,
  postmarkEvent,
  says,
  sendgridEvent,
  sesBounce,
  sesEvent,
  startMailEvents,
  topic,
  type Request,
  type Sent,
} from '#tests/mail-events.ts'
import { lastRow, notify, refusalOf, startPost } from '#tests/setup/post.ts'
import { sendgrid } from './sendgrid.ts'

const post = await startMailEvents(afterAll)

test('an email carries the token where each configured provider returns it', async () => {
  const { row } = await aSentMail(post)
  const { headers } = post.server.received.at(-1)!.mail
  const header = (name: string) => headers.find(({ key }) => key === name)?.value
  const { unique_args } = JSON.parse(header('x-smtpapi')!) as { unique_args: { mail_token: string } }
  for (const token of [header('x-mail-token')!, header('x-pm-metadata-mail-token')!, unique_args.mail_token])
    expect(findMailOfToken(post.services.keys, token)).toBe(row.id)

  const without = await startPost()
  const member = await aSignedInMember(without)
  await notify(without, member.email)
  await without.deliver()
  expect(without.server.received.at(-1)!.raw).not.toMatch(/^x-(mail|pm|smtpapi)/im)
})

test.each(mailProviders)('a bounce that %s reports marks email and mailbox', async (provider) => {
  const { member, row, sent } = await aSentMail(post)
  expect(await post.post(says[provider].gone(sent))).toBe(200)
  expect(await lastRow(post, member.email)).toMatchObject({ id: row.id, state: 'failed', last_error: '550' })
  expect(await refusalOf(post, member.token)).toMatchObject({
    trouble: 'mailbox_unknown',
    code: '550 5.1.1',
    isReported: true,
  })
  const { facts } = await look('mail', post.services)
  expect(facts).toContainEqual({
    name: 'mailEvents',
    value: expect.stringMatching(new RegExp(`${provider} \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\dZ`)) as string,
  })
})

test('the certificate of SES is requested once, and the mark ends days after an email is accepted again', async () => {
  const { member, sent } = await aSentMail(post)
  await post.post(says.ses.gone(sent))
  await post.post(says.ses.gone(sent))
  expect(post.fetched.filter((url) => url === certificateUrl)).toHaveLength(1)
  await post.services.db
    .updateTable('mailbox_refusal')
    .set({ accepted_at: sql<Date>`now() - interval '4 days'` })
    .where('member_id', '=', member.id)
    .execute()
  await mail.cleanUp.pastRefusals(post.services)
  expect(await refusalOf(post, member.token)).toBeNull()
})

test.each<[string, (sent: Sent) => Request, string]>([
  [
    'SES: a full mailbox',
    (sent) => ofSns({ Message: sesBounce(sent, { type: 'Transient', status: '5.2.2' }) }),
    'failed',
  ],
  [
    'SES: rejected as spam',
    (sent) => ofSns({ Message: sesBounce(sent, { type: 'Permanent', status: '5.7.1' }) }),
    'failed',
  ],
  ['SES: delivered', (sent) => ofSns({ Message: sesEvent(sent, { eventType: 'Delivery' }) }), 'sent'],
  [
    'SES: declared not to be spam',
    (sent) =>
      ofSns({
        Message: sesEvent(sent, {
          eventType: 'Complaint',
          complaint: { complaintFeedbackType: 'not-spam' },
        }),
      }),
    'sent',
  ],
  ['Postmark: a soft bounce', (sent) => ofPostmark(postmarkEvent(sent, { type: 'SoftBounce' })), 'failed'],
  [
    'Postmark: an automatic reply',
    (sent) => ofPostmark(postmarkEvent(sent, { type: 'AutoResponder' })),
    'sent',
  ],
  [
    'SendGrid: blocked',
    (sent) =>
      ofSendgrid([sendgridEvent(sent, { event: 'bounce', type: 'blocked', reason: '550 5.1.1 blocked' })]),
    'failed',
  ],
  [
    'SendGrid: our reputation',
    (sent) =>
      ofSendgrid([
        sendgridEvent(sent, { event: 'bounce', type: 'bounce', bounce_classification: 'Reputation' }),
      ]),
    'failed',
  ],
  ['SendGrid: delayed', (sent) => ofSendgrid([sendgridEvent(sent, { event: 'deferred' })]), 'sent'],
])('%s does not mark the mailbox', async (_, request, state) => {
  const { member, sent } = await aSentMail(post)
  expect(await post.post(request(sent))).toBe(200)
  expect((await lastRow(post, member.email)).state).toBe(state)
  expect(await refusalOf(post, member.token)).toBeNull()
})

test.each<[string, (sent: Sent) => Request]>([
  [
    'SES that suppresses the address',
    (sent) => ofSns({ Message: sesBounce(sent, { type: 'Permanent', subType: 'OnAccountSuppressionList' }) }),
  ],
  ['Postmark without a code', (sent) => ofPostmark(postmarkEvent(sent, { type: 'HardBounce' }))],
  [
    'SendGrid that drops the email',
    (sent) => ofSendgrid([sendgridEvent(sent, { event: 'dropped', reason: 'Bounced Address' })]),
  ],
])('the verdict of %s counts as an unknown mailbox', async (_, request) => {
  const { member, sent } = await aSentMail(post)
  expect(await post.post(request(sent))).toBe(200)
  expect(await refusalOf(post, member.token)).toMatchObject({ code: '550 5.1.1' })
})

const others = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const day = 24 * 3_600_000

test('a request without a valid proof is refused and changes nothing', async () => {
  const { member, row, sent } = await aSentMail(post)
  const Message = sesBounce(sent, { type: 'Permanent', status: '5.1.1' })
  const gone = postmarkEvent(sent, { type: 'HardBounce' })
  const events = [sendgridEvent(sent, { event: 'spamreport' })]
  const old = Date.now() - day - 60_000
  const signed = ofSendgrid(events)
  const forged = [
    ofSns({ Message }, { key: others }),
    ofSns({ Message }, { version: '1' }),
    ofSns({ Message, TopicArn: topic.replace('123456789012', '210987654321') }),
    ofSns({ Message, Timestamp: new Date(old).toISOString() }),
    ofSns({ Message, Timestamp: 'yesterday' }),
    ofSns({ Message, Type: 'UnsubscribeConfirmation' }),
    ofExpiredSns({ Message }),
    { provider: 'ses', body: ofSns({ Message }).body.replace('Permanent', 'Transient') },
    { provider: 'ses', body: JSON.stringify({ notificationType: 'Bounce' }) },
    ofPostmark(gone, 'wrong'.repeat(10)),
    { provider: 'postmark', body: JSON.stringify(gone) },
    ofSendgrid(events, { key: generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey }),
    ofSendgrid(events, { at: old }),
    { ...signed, body: signed.body.replace('spamreport', 'bounce') },
    { ...signed, headers: {} },
    ...mailProviders.map((provider) => ({ provider, body: 'not JSON' })),
  ]
  const statuses = []
  for (const request of forged) statuses.push(await post.post(request))
  expect(statuses).toEqual(forged.map(() => 401))
  expect(await lastRow(post, member.email)).toMatchObject({ id: row.id, state: 'sent', last_error: null })
  expect(await refusalOf(post, member.token)).toBeNull()
})

test.each([
  'https://sns.eu-west-1.amazonaws.com.attacker.example/SimpleNotificationService-a.pem',
  certificateUrl.replace('eu-west-1', 'us-east-1'),
  certificateUrl.replace('sns.', 'bucket.s3.'),
  certificateUrl.replace('https:', 'http:'),
  certificateUrl.replace('.com/', '.com:8443/'),
  certificateUrl.replace('//sns', '//user@sns'),
  `${certificateUrl}?another`,
  'https://sns.eu-west-1.amazonaws.com/another.pem',
  'not a URL',
])('no certificate is taken from %s', async (SigningCertURL) => {
  const before = post.fetched.length
  expect(await post.post(ofSns({ Message: '{}', SigningCertURL }))).toBe(401)
  expect(post.fetched).toHaveLength(before)
})

test('while a certificate is not available, SES is asked to repeat the request', async () => {
  const SigningCertURL = certificateUrl.replaceAll('a1', 'c3')
  expect(await post.post(ofSns({ Message: '{}', SigningCertURL }))).toBe(503)
})

test('during maintenance, a provider is asked to repeat the request, which then counts', async () => {
  const { member, sent } = await aSentMail(post)
  const { db, maintenance } = post.services
  await startMaintenance(db, { actorId: null, until: null })
  await maintenance.reload()
  expect(await post.post(says.postmark.gone(sent))).toBe(503)
  await endMaintenance(db, { actorId: null })
  await maintenance.reload()
  expect(await lastRow(post, member.email)).toMatchObject({ state: 'sent' })
  expect(await post.post(says.postmark.gone(sent))).toBe(200)
  expect(await lastRow(post, member.email)).toMatchObject({ state: 'failed' })
})

test('a subscription is confirmed only for our topic and at its region', async () => {
  const confirmation = (SubscribeURL: string, more = {}) =>
    ofSns({ Type: 'SubscriptionConfirmation', Message: 'Confirm', Token: 'x', SubscribeURL, ...more })
  const url = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}`
  expect(await post.post(confirmation(url))).toBe(200)
  expect(post.fetched.at(-1)).toBe(url)
  const before = post.fetched.length
  expect(await post.post(confirmation('https://sns.attacker.example/'))).toBe(200)
  expect(await post.post(confirmation(url, { TopicArn: `${topic}-2` }))).toBe(401)
  expect(post.fetched).toHaveLength(before)
})

test('the verification accepts a signature that SendGrid published', () => {
  // https://github.com/sendgrid/sendgrid-nodejs, packages/eventwebhook
  const key =
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA=='
  const headers = {
    'x-twilio-email-event-webhook-timestamp': '1588788367',
    'x-twilio-email-event-webhook-signature':
      'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
  }
  const body = Buffer.from(
    JSON.stringify({ category: 'example_payload', event: 'test_event', message_id: 'message_id' }),
  )
  vi.useFakeTimers({ toFake: ['Date'], now: 1_588_788_400_000 })
  try {
    expect(sendgrid.verify({ headers, body }, key)).toBe(true)
    expect(sendgrid.verify({ headers, body: Buffer.concat([body, body]) }, key)).toBe(false)
  } finally {
    vi.useRealTimers()
  }
  expect(sendgrid.verify({ headers, body }, key)).toBe(false)
})

test('a provider without a setting, and other methods, are not found', async () => {
  const post = await startPost({ MAIL_EVENTS_SES_TOPIC: topic })
  const status = async (method: 'GET' | 'POST', name: string) =>
    (await post.send({ method, url: `/email-events/${name}`, payload: method === 'POST' ? '{}' : '' }))
      .statusCode
  expect(await status('POST', 'ses')).toBe(401)
  for (const name of ['postmark', 'sendgrid', 'mailgun', 'constructor', ''])
    expect([name, await status('POST', name)]).toEqual([name, 404])
  expect(await status('GET', 'ses')).toBe(404)
})

test('bodies and refused requests are limited, and accepted requests are not', async () => {
  const { sent } = await aSentMail(post)
  const large = ofSendgrid([{ ...sendgridEvent(sent, { event: 'open' }), text: 'x'.repeat(2 ** 20) }])
  expect(await post.post(large)).toBe(413)
  expect(await post.post({ ...ofPostmark({}), body: 'not JSON' })).toBe(400)
  const open = ofSendgrid([sendgridEvent(sent, { event: 'open' })])
  for (let n = 0; n < 99; n += 1) await post.post({ provider: 'sendgrid', body: '[]', ip: '198.51.100.7' })
  for (let n = 0; n < 3; n += 1) expect(await post.post({ ...open, ip: '198.51.100.7' })).toBe(200)
  expect(await post.post({ provider: 'sendgrid', body: '[]', ip: '198.51.100.7' })).toBe(401)
  expect(await post.post({ ...open, ip: '198.51.100.7' })).toBe(429)
  expect(await post.post({ ...open, ip: '198.51.100.8' })).toBe(200)
})

test.each(mailProviders)('an event of %s about an unknown or old email changes nothing', async (provider) => {
  const { member, row, sent } = await aSentMail(post)
  const foreign = mailTokenOf(makeKeys(Buffer.alloc(32, 7)), row.id)
  for (const token of ['', 'x'.repeat(42), row.id, foreign, mailTokenOf(post.services.keys, randomUUID())])
    for (const kind of ['gone', 'spam'] as const)
      expect(await post.post(says[provider][kind]({ ...sent, token }))).toBe(200)
  await post.services.db
    .updateTable('mail')
    .set({ created_at: sql<Date>`now() - interval '8 days'` })
    .where('id', '=', row.id)
    .execute()
  expect(await post.post(says[provider].gone(sent))).toBe(200)
  expect(await lastRow(post, member.email)).toMatchObject({ state: 'sent', last_error: null })
  expect(await refusalOf(post, member.token)).toBeNull()
})

test.each(mailProviders)(
  'a repeated request of %s changes nothing after the mark was removed',
  async (provider) => {
    for (const kind of ['gone', 'spam'] as const) {
      const { member, sent } = await aSentMail(post)
      const request = says[provider][kind](sent)
      expect(await post.post(request)).toBe(200)
      expect(await refusalOf(post, member.token)).not.toBeNull()
      await post.services.db.deleteFrom('mailbox_refusal').where('member_id', '=', member.id).execute()
      expect(await post.post(request)).toBe(200)
      expect(await post.post(says[provider][kind](sent))).toBe(200)
      expect(await refusalOf(post, member.token)).toBeNull()
    }
  },
)

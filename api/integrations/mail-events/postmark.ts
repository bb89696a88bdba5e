import { createHash, timingSafeEqual } from 'node:crypto'
import { isRecord } from '../../platform/is-record.ts'
import { postmarkTokenName } from '../../platform/mail/bounces/tracking-headers.ts'
import { at, bounceEvent, textAt, type EventProvider } from './mail-event.ts'

/** The user name in the URL that operators enter at Postmark. */
const user = 'postmark'

/*
 * Postmark doesn't sign. It sends the user name and password of the URL, as it recommends
 * (https://postmarkapp.com/developer/webhooks/webhooks-overview). The shapes are those of
 * https://postmarkapp.com/developer/webhooks/bounce-webhook and …/spam-complaint-webhook.
 */
export const postmark: EventProvider = {
  verify: ({ headers }, secret) => {
    const expected = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
    return timingSafeEqual(digest(headers.authorization ?? ''), digest(expected))
  },
  parse: (body) => {
    const token = tokenIn(at(body, 'Metadata'))
    const type = textAt(body, 'Type') ?? ''
    if (token === undefined) return []
    if (textAt(body, 'RecordType') === 'SpamComplaint' || type === 'SpamComplaint')
      return [{ token, kind: 'complaint' }]
    const isPermanent = gone.has(type)
    if (textAt(body, 'RecordType') !== 'Bounce' || !(isPermanent || undelivered.has(type))) return []
    const answer = (textAt(body, 'Details') ?? '').replace(/^smtp\s*;\s*/i, '')
    return [bounceEvent(token, { isPermanent, answer })]
  },
}

/** The names of https://postmarkapp.com/developer/api/bounce-api#bounce-types. */
const gone: ReadonlySet<string> = new Set(['HardBounce', 'BadEmailAddress'])
/** Others, such as automatic replies, don't mean that the email wasn't delivered. */
const undelivered: ReadonlySet<string> = new Set([
  'Blocked',
  'DMARCPolicy',
  'DnsError',
  'ManuallyDeactivated',
  'SMTPApiError',
  'SoftBounce',
  'SpamNotification',
  'Transient',
  'Undeliverable',
  'Unknown',
  'VirusNotification',
])

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Mail programs may change the capitalization of a header, which is part of the name here. */
function tokenIn(metadata: unknown): string | undefined {
  const entries = isRecord(metadata) ? Object.entries(metadata) : []
  const [, token] = entries.find(([name]) => name.toLowerCase() === postmarkTokenName) ?? []
  return typeof token === 'string' ? token : undefined
}

import { verify } from 'node:crypto'
import { SECOND } from '#contract/platform/durations.ts'
import { verificationKeyOf } from '../../platform/config/read-mail-events.ts'
import { sendgridTokenName } from '../../platform/mail/bounces/tracking-headers.ts'
import { bounceEvent, isRecent, textAt, type EventProvider, type MailEvent } from './mail-event.ts'

/*
 * SendGrid signs the time and the body with ECDSA and SHA-256
 * (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features).
 * The shapes are those of https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event. Unique arguments
 * are properties of each event.
 */
export const sendgrid: EventProvider = {
  verify: ({ headers, body }, key) => {
    const time = headers['x-twilio-email-event-webhook-timestamp']
    const signature = headers['x-twilio-email-event-webhook-signature']
    if (typeof time !== 'string' || typeof signature !== 'string') return false
    if (!/^\d{1,12}$/.test(time) || !isRecent(Number(time) * SECOND)) return false
    const signed = Buffer.concat([Buffer.from(time), body])
    return verify('sha256', signed, verificationKeyOf(key), Buffer.from(signature, 'base64'))
  },
  parse: (body) => (Array.isArray(body) ? body.flatMap(eventIn) : []),
}

function eventIn(event: unknown): MailEvent[] {
  const token = textAt(event, sendgridTokenName)
  const kind = textAt(event, 'event')
  const reason = textAt(event, 'reason') ?? ''
  if (token === undefined) return []
  if (kind === 'spamreport') return [{ token, kind: 'complaint' }]
  if (kind === 'bounce') {
    const isPermanent = textAt(event, 'type') === 'bounce' && isAboutAddress(event)
    return [bounceEvent(token, { isPermanent, status: textAt(event, 'status') ?? '', answer: reason })]
  }
  if (kind !== 'dropped') return []
  if (reason === 'Spam Reporting Address') return [{ token, kind: 'complaint' }]
  return [bounceEvent(token, { isPermanent: reason === 'Bounced Address' || reason === 'Invalid' })]
}

/** Older events have no classification. Others say for example that the content or our reputation was the reason. */
const isAboutAddress = (event: unknown): boolean =>
  ['Invalid Address', 'Unclassified', undefined].includes(textAt(event, 'bounce_classification'))

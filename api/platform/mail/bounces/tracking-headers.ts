import type { Config } from '../../config/config.ts'
import { mailProviders, type MailProvider } from '../../config/read-mail-events.ts'
import type { Keys } from '../../keys.ts'
import { mailTokenOf } from './return-path.ts'

/** The header of emails sent through SES, which reports the headers of the original email with each event. */
export const sesTokenHeader = 'X-Mail-Token'
/** The name of the token in Postmark's metadata, whose names have at most 20 characters. */
export const postmarkTokenName = 'mail-token'
/** The name of the token among SendGrid's unique arguments. */
export const sendgridTokenName = 'mail_token'

/** `prepared`: written unchanged, because a value of this length would otherwise be encoded. */
type TrackingHeaders = Record<string, { prepared: true; value: string }>

const headersOf: Readonly<Record<MailProvider, (token: string) => [name: string, value: string]>> = {
  ses: (token) => [sesTokenHeader, token],
  postmark: (token) => [`X-PM-Metadata-${postmarkTokenName}`, token],
  sendgrid: (token) => ['X-SMTPAPI', JSON.stringify({ unique_args: { [sendgridTokenName]: token } })],
}

/**
 * The headers by which the configured providers say later which email an event is about. The Message-ID doesn't: SES
 * and Postmark replace it.
 */
export function trackingHeadersOf(
  { mailEvents }: Pick<Config, 'mailEvents'>,
  keys: Keys,
  mailId: string,
): TrackingHeaders {
  const used = mailProviders.filter((provider) => mailEvents[provider] !== undefined)
  const token = mailTokenOf(keys, mailId)
  const headers: TrackingHeaders = {}
  for (const provider of used) {
    const [name, value] = headersOf[provider](token)
    headers[name] = { prepared: true, value }
  }
  return headers
}

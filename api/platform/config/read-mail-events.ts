import { createPublicKey } from 'node:crypto'
import type { SettingReader } from './setting-reader.ts'

/** Email providers that report bounces and complaints to `/email-events/`. */
export const mailProviders = ['ses', 'postmark', 'sendgrid'] as const
export type MailProvider = (typeof mailProviders)[number]

/** What proves that a request comes from the provider. Providers that are missing are refused. */
export type MailEventSettings = Readonly<Partial<Record<MailProvider, string>>>

/** The topic of Amazon SNS. Its region is part of the name of the host that signs. */
export const topicPattern = /^arn:aws(?:-cn|-us-gov)?:sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[\w-]{1,256}$/
/** Part of a URL, so that it needs no encoding. */
const secretPattern = /^[\w-]{24,200}$/

export function readMailEvents({ given, refuse }: SettingReader): MailEventSettings {
  const ses = given('MAIL_EVENTS_SES_TOPIC')
  const postmark = given('MAIL_EVENTS_POSTMARK_SECRET')
  const sendgrid = given('MAIL_EVENTS_SENDGRID_KEY')
  if (ses !== undefined && !topicPattern.test(ses))
    refuse('MAIL_EVENTS_SES_TOPIC', 'must be the ARN of an Amazon SNS topic')
  if (postmark !== undefined && !secretPattern.test(postmark))
    refuse('MAIL_EVENTS_POSTMARK_SECRET', 'must be 24 to 200 letters, digits, hyphens, and underscores')
  if (sendgrid !== undefined && !isVerificationKey(sendgrid))
    refuse('MAIL_EVENTS_SENDGRID_KEY', 'must be the verification key of SendGrid’s Event Webhook')
  return {
    ...(ses !== undefined && { ses }),
    ...(postmark !== undefined && { postmark }),
    ...(sendgrid !== undefined && { sendgrid }),
  }
}

/** The public key that SendGrid shows: SubjectPublicKeyInfo (RFC 5280) in Base64, without the lines of PEM. */
export const verificationKeyOf = (text: string) =>
  createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })

function isVerificationKey(text: string): boolean {
  try {
    return verificationKeyOf(text).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}

import type { Keys } from '../keys.ts'
import type { RenderedMail } from './render-mail.ts'

/**
 * `shown` is the staff's view with codes and links masked; old releases stored none. `headers` are added to the
 * fixed ones.
 */
type StoredMail = RenderedMail & { shown?: RenderedMail; headers?: MailHeaders }
export type MailHeaders = Readonly<Record<string, string>>

type Sealed = { id: string; sealed_message: Buffer }

export const sealMail = (keys: Keys, id: string, message: StoredMail): Buffer =>
  keys.seal('mail', id, JSON.stringify(message))

/** Decrypts the message to send. */
export function openMail(
  keys: Keys,
  { id, sealed_message }: Sealed,
): RenderedMail & { headers?: MailHeaders } {
  const { subject, text, html, headers } = read(keys, id, sealed_message)
  return { subject, text, html, ...(headers && { headers }) }
}

/** Decrypts the staff's view of the message. */
export const openShownMail = (keys: Keys, { id, sealed_message }: Sealed): RenderedMail | undefined =>
  read(keys, id, sealed_message).shown

const read = (keys: Keys, id: string, sealed: Buffer) =>
  JSON.parse(keys.open('mail', id, sealed)) as StoredMail

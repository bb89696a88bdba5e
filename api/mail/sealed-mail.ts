import type { Keys } from '../keys.ts'
import type { RenderedMail } from './render-mail.ts'

/** `shown` is how staff see it, codes and links covered. An old release wrote none. */
export type StoredMail = RenderedMail & { shown?: RenderedMail }

type Sealed = { id: string; sealed_message: Buffer }

export const sealMail = (keys: Keys, id: string, message: StoredMail): Buffer =>
  keys.seal('mail', id, JSON.stringify(message))

/** What is sent. */
export function openMail(keys: Keys, { id, sealed_message }: Sealed): RenderedMail {
  const { subject, text, html } = read(keys, id, sealed_message)
  return { subject, text, html }
}

/** What staff see of it. */
export const openShownMail = (keys: Keys, { id, sealed_message }: Sealed): RenderedMail | undefined =>
  read(keys, id, sealed_message).shown

const read = (keys: Keys, id: string, sealed: Buffer) =>
  JSON.parse(keys.open('mail', id, sealed)) as StoredMail

import { createHmac, randomBytes } from 'node:crypto'
import type { Keys } from '../keys.ts'

const prefix = 'whsec_'

/** As Standard Webhooks writes it: 32 random bytes in base64 behind a prefix by which scanners for leaked secrets know it. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64')

export const sealSecret = (keys: Keys, webhookId: string, secret: string): Buffer =>
  keys.seal('webhook', webhookId, secret)

/** Throws where the key is not that of sealing. */
export const openSecret = (keys: Keys, webhookId: string, sealed: Buffer): string =>
  keys.open('webhook', webhookId, sealed)

type Signed = { id: string; timestamp: number; body: string }

/** The value of `webhook-signature`: one signature for each secret that holds, with a space between. */
export const signatureOf = (secrets: readonly string[], { id, timestamp, body }: Signed): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')

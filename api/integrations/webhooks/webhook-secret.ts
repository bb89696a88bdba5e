import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/**
 * Returns a secret in the format of Standard Webhooks: 32 random bytes in base64 with a prefix that secret scanners
 * recognize.
 */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64')

type Signed = { id: string; timestamp: number; body: string }

/** Returns the value of `webhook-signature`: one signature per valid secret, separated by spaces. */
export const signatureOf = (secrets: readonly string[], { id, timestamp, body }: Signed): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')

import { Readable } from 'node:stream'
import type { SendMailOptions } from 'nodemailer'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import { whenUsed } from '../when-used.ts'

const nodemailer = whenUsed((require) => require('nodemailer') as typeof import('nodemailer'))

/** Time limits for a mail server, in milliseconds. An attempt that exceeds one is aborted. */
type SmtpLimits = {
  /** For connecting, and for the server's greeting. */
  connection: number
  /** Until the server asks for the message. Before that nothing can be delivered, so giving up is safe. */
  readiness: number
  /**
   * From then until it confirms the message. Giving up earlier would deliver twice on a slow server: RFC 5321
   * (4.5.3.2.6) requires ten minutes.
   */
  acceptance: number
}

export const limitsOfDelivery: SmtpLimits = {
  connection: 10 * SECOND,
  readiness: MINUTE,
  acceptance: 10 * MINUTE,
}

/** A person waits for the result. */
export const limitsOfTrial: SmtpLimits = {
  connection: 10 * SECOND,
  readiness: 15 * SECOND,
  acceptance: 20 * SECOND,
}

export type SmtpTransport = {
  /**
   * Resolves when the server has the message. `onReady` is awaited when the server asks for it: if it rejects,
   * nothing of the message is sent. Aborting `signal` ends the attempt until the server asks for the message.
   */
  send(message: SendMailOptions, on?: { onReady?: () => Promise<void>; signal?: AbortSignal }): Promise<void>
  /** Connects and signs in without sending anything. */
  verify(): Promise<void>
  close(): void
}

/** Connection options set by us; the address may contain other nodemailer options. */
const ours = ['pool', 'connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout']
type Gated = SendMailOptions & { whenAskedFor?: () => Promise<void> }

export function openTransport(smtpUrl: string, limits = limitsOfDelivery): SmtpTransport {
  const address = new URL(smtpUrl)
  for (const name of ours) address.searchParams.delete(name)
  // Passed as connection options, because the second argument sets defaults of each message.
  const transport = nodemailer().createTransport({
    url: address.href,
    connectionTimeout: limits.connection,
    greetingTimeout: limits.connection,
    dnsTimeout: limits.connection,
    socketTimeout: limits.acceptance,
    socketCloseTimeout: SECOND,
  })
  transport.use('stream', (mail, done) => {
    const open = (mail.data as Gated).whenAskedFor
    // Not read before the server asks for it.
    if (open)
      mail.message.processFunc((content: Readable) =>
        Readable.from(opened(open, content), { objectMode: false }),
      )
    done()
  })
  return {
    async send(message, { onReady, signal } = {}) {
      const ending = new AbortController()
      let isReady = false
      const end = () => ending.abort()
      const stop = () => isReady || end()
      let timer = setTimeout(end, limits.readiness)
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) stop()
      const whenReady = async () => {
        isReady = true
        clearTimeout(timer)
        timer = setTimeout(end, limits.acceptance)
        await onReady?.()
      }
      const gated: Gated = { ...message, signal: ending.signal, whenAskedFor: whenReady }
      try {
        await transport.sendMail(gated)
      } catch (error) {
        throw ending.signal.aborted ? tooLate(isReady) : error
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
      }
    },
    async verify() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(tooLate(false)), limits.readiness)
      })
      await Promise.race([transport.verify(), late]).finally(() => clearTimeout(timer))
    },
    close: () => transport.close(),
  }
}

async function* opened(open: () => Promise<void>, content: Readable): AsyncGenerator<Buffer> {
  await open()
  for await (const part of content) yield part as Buffer
}

const tooLate = (isReady: boolean) =>
  Object.assign(new Error('the mail server takes too long'), {
    code: 'ETIMEDOUT',
    command: isReady ? 'DATA' : 'CONN',
  })

import { Readable } from 'node:stream'
import type { SendMailOptions } from 'nodemailer'
import { MINUTE, SECOND } from '#contract/durations.ts'
import { whenUsed } from '../when-used.ts'

const nodemailer = whenUsed((require) => require('nodemailer') as typeof import('nodemailer'))

/** How long a mail server may take. Once an attempt has failed by one of them nothing of it goes on. */
export type SmtpLimits = {
  /** Until there is a connection, and until the server has greeted. */
  connection: number
  /** Until the server asks for the message: before that nothing can arrive, so giving up costs nothing. */
  readiness: number
  /**
   * From then on, until it has said that it has the message. Who gives up earlier sends twice what a slow server delivers: RFC 5321
   * (4.5.3.2.6) asks for ten minutes.
   */
  acceptance: number
}

export const limitsOfDelivery: SmtpLimits = {
  connection: 10 * SECOND,
  readiness: MINUTE,
  acceptance: 10 * MINUTE,
}

/** A person waits for the answer. */
export const limitsOfTrial: SmtpLimits = {
  connection: 10 * SECOND,
  readiness: 15 * SECOND,
  acceptance: 20 * SECOND,
}

export type SmtpTransport = {
  /**
   * Resolves when the server has the message. `onReady` is awaited when the server asks for it: if it rejects, nothing of the message
   * leaves. Aborting `signal` ends the attempt as long as the server has not asked for the message.
   */
  send(message: SendMailOptions, on?: { onReady?: () => Promise<void>; signal?: AbortSignal }): Promise<void>
  /** Connects and signs in, and sends nothing. */
  verify(): Promise<void>
  close(): void
}

/** What only we say about a connection; the rest of what nodemailer takes may stand in the address. */
const ours = ['pool', 'connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout']
type Gated = SendMailOptions & { whenAskedFor?: () => Promise<void> }

export function openTransport(smtpUrl: string, limits = limitsOfDelivery): SmtpTransport {
  const address = new URL(smtpUrl)
  for (const name of ours) address.searchParams.delete(name)
  // As options of the connection: what stands in the second argument is taken for fields of each message.
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
    // Read by nobody before the server has asked for it.
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

import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export type ReceivedMail = { recipients: string[]; raw: string; mail: Email }

export type MailServer = {
  url: string
  received: ReceivedMail[]
  /** The SMTP status that refuses a recipient, or nothing to accept the mail. */
  refuseWith: (recipient: string) => number | undefined
  close(): Promise<void>
}

/** A real SMTP server on loopback that stores the mails that it receives. */
export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      const status = started.refuseWith(address)
      done(status === undefined ? null : Object.assign(new Error('not now'), { responseCode: status }))
    },
    onData: callbackify(async (stream: Readable, session: SMTPServerSession) => {
      const raw = await buffer(stream)
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      const mail = await PostalMime.parse(raw)
      started.received.push({ recipients, raw: raw.toString('utf8'), mail })
    }),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const started: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received: [],
    refuseWith: () => undefined,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return started
}

/** Accepts connections and never responds. */
export async function startSilentServer(): Promise<Pick<MailServer, 'url' | 'close'>> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

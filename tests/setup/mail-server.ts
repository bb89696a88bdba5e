import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

/** `sender` is the envelope sender, to which bounces are sent. */
export type ReceivedMail = { sender: string; recipients: string[]; raw: string; mail: Email }

export type MailServer = {
  url: string
  received: ReceivedMail[]
  /** Returns the SMTP status that rejects a recipient, such as 550 or `550 5.1.1`, or nothing to accept the email. */
  refuseWith: (recipient: string) => number | string | undefined
  /** Whether it requires authentication, which always fails. */
  refuseSignIn: boolean
  close(): Promise<void>
}

/** A real SMTP server on loopback that stores the emails it receives. */
export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // A reverse lookup of this machine would take longer than the email.
    disableReverseLookup: true,
    logger: false,
    onMailFrom(_address, _session, done) {
      const refusal = Object.assign(new Error('Authentication required'), { responseCode: 530 })
      done(started.refuseSignIn ? refusal : null)
    },
    onRcptTo({ address }, _session, done) {
      const refusal = started.refuseWith(address)
      const [status, enhanced = 'not now'] = String(refusal).split(' ')
      done(
        refusal === undefined ? null : Object.assign(new Error(enhanced), { responseCode: Number(status) }),
      )
    },
    onData: callbackify(async (stream: Readable, session: SMTPServerSession) => {
      const raw = await buffer(stream)
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      const mail = await PostalMime.parse(raw)
      const { mailFrom } = session.envelope
      started.received.push({
        sender: mailFrom ? mailFrom.address : '',
        recipients,
        raw: raw.toString('utf8'),
        mail,
      })
    }),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const started: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received: [],
    refuseWith: () => undefined,
    refuseSignIn: false,
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

export type SlowMailServer = Pick<MailServer, 'url' | 'close'> & {
  /** Recipients whose message arrived completely, and each message as received. */
  got: string[]
  messages: string[]
  connections: () => number
}

/**
 * An SMTP server with controlled timing. `answer` receives the client's line (or `greeting`, or `message` for the end
 * of one) and resolves to the line to send, or to nothing for a server that hangs. `drip`: milliseconds per byte.
 */
export async function startSlowServer(
  answer: (line: string) => Promise<string | undefined>,
  { drip }: { drip?: number } = {},
): Promise<SlowMailServer> {
  const sockets = new Set<Socket>()
  const got: string[] = []
  const messages: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const say = async (line: string | undefined) => {
      if (line === undefined) return
      for (const byte of drip ? `${line}\r\n` : [`${line}\r\n`]) {
        if (drip) await new Promise((resolve) => setTimeout(resolve, drip))
        if (!socket.destroyed) socket.write(byte)
      }
    }
    let [rest, recipient, message, isMessage] = ['', '', '', false]
    socket.on('data', (part: Buffer) => {
      rest += part.toString('latin1')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (isMessage && line !== '.') {
          message += `${line}\r\n`
          continue
        }
        if (isMessage) {
          got.push(recipient)
          messages.push(message)
          message = ''
        }
        recipient = /^RCPT TO:<(.*?)>/i.exec(line)?.[1] ?? recipient
        void answer(isMessage ? 'message' : line).then(say)
        isMessage = !isMessage && line === 'DATA'
      }
    })
    void answer('greeting').then(say)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    got,
    messages,
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** Returns the responses of an ordinary server. */
export function usualAnswer(line: string): string {
  if (line === 'greeting') return '220 mail.example'
  if (line === 'DATA') return '354 go on'
  return line.startsWith('EHLO') ? '250 mail.example' : '250 fine'
}

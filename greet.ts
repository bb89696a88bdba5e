import type { FastifyInstance } from 'fastify'
import type { Config } from '#api/config.ts'
import { hasDevelopmentInbox } from '#api/mail/development-inbox.ts'
import { say } from '#api/operations/say.ts'
import type { SampleMember } from '#api/seed.ts'

/** What an operator needs to know after a start: the address, where mails go, how to become administrator. */
export function greet(config: Config, app: FastifyInstance, samples: readonly SampleMember[]): void {
  const listening = app.addresses().find((each) => typeof each === 'object')
  const address =
    config.publicUrl.port === '0' && listening ? `http://localhost:${listening.port}` : config.publicUrl.href
  const inbox = new URL('/dev/inbox', address).href
  const mails = config.smtpUrl
    ? `are sent by ${new URL(config.smtpUrl).host}`
    : hasDevelopmentInbox(config)
      ? `are not sent; read them on this machine at ${inbox}`
      : 'wait in the outbox until SMTP_URL is set'
  const admins =
    config.adminEmails.size > 0
      ? 'sign up with an address of ADMIN_EMAILS and choose the password by the link that is mailed'
      : 'start with ADMIN_EMAILS=you@example.org, sign up with that address and choose the password by the link that is mailed'
  const lines = [
    `Ready at        ${address}`,
    `API reference   ${new URL('/v2/docs', address).href}`,
    `Mails           ${mails}`,
    `Administrator   ${admins}`,
    ...samples.map(
      ({ title, email, password, may }) =>
        `${`Sample ${title}`.padEnd(19)} ${email}  password ${password}  (shown this once)  ${may}`,
    ),
  ]
  for (const line of lines) say('started', line)
}

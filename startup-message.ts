import type { FastifyInstance } from 'fastify'
import type { Config } from '#api/platform/config/config.ts'
import { hasDevelopmentInbox } from '#api/platform/mail/development-inbox.ts'
import { say } from '#api/platform/operations/print-message.ts'
import type { SampleMember } from '#demo/seed-demo.ts'

/** What an operator needs to know after a start: the address, where emails go, and how to sign in. */
export function greet(config: Config, app: FastifyInstance, samples: readonly SampleMember[]): void {
  const listening = app.addresses().find((each) => typeof each === 'object')
  const address =
    config.publicUrl.port === '0' && listening
      ? `http://localhost:${listening.port}`
      : config.publicUrl.href.replace(/\/$/, '')
  const inbox = new URL('/dev/inbox', address).href
  const emails = config.smtpUrl
    ? `sent through ${new URL(config.smtpUrl).host}`
    : hasDevelopmentInbox(config)
      ? `not sent; read them at ${inbox}`
      : 'kept in the outbox until you set SMTP_URL'
  const lines = ['', `Ready at  ${address}`, `Emails    ${emails}`, '', ...describeSignIn(config, samples)]
  // In a log, an empty line would be an entry without a message.
  for (const line of lines) if (line !== '' || !config.isProduction) say('started', line)
}

/**
 * A person at a terminal reads the startup message. JSON log lines are printed only for machines, or if LOG_LEVEL is
 * set.
 */
export const isQuiet = (
  { isProduction }: Pick<Config, 'isProduction'>,
  { isTTY, logLevel }: { isTTY: boolean; logLevel: string | undefined },
): boolean => !isProduction && isTTY && !logLevel

type SignInConfig = Pick<Config, 'adminEmails' | 'isDemo' | 'isLocal' | 'isProduction'>

/** One row per sample account, or how the first administrator gets an account. */
export function describeSignIn(
  { adminEmails, isDemo, isLocal, isProduction }: SignInConfig,
  samples: readonly SampleMember[],
): string[] {
  if (samples.length === 0) {
    if (isDemo && isLocal && !isProduction)
      return [
        'Sign in with a sample account from the first start. To get new passwords, delete the data folder.',
      ]
    return adminEmails.size > 0
      ? ['Sign up with an address from ADMIN_EMAILS, then set a password with the link in the email.']
      : ['To become an administrator, start with ADMIN_EMAILS=you@example.org and sign up with that address.']
  }
  const heading = ['Account', 'Email', 'Password', 'Access']
  const rows = [
    heading,
    ...samples.map(({ title, email, password, access }) => [title, email, password, access]),
  ]
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]!.length))
  return [
    'Sign in with a sample account. The passwords are shown only this once.',
    '',
    ...rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widthOf(at))).join('  ')}`.trimEnd()),
    '',
    'To stop, press Ctrl+C.',
  ]
}

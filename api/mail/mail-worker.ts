import { createTransport, type Transporter } from 'nodemailer'
import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import { noteRun } from '../jobs/note-run.ts'
import type { Worker } from '../noun.ts'
import type { Services } from '../services.ts'
import { claimDueMail, markMailFailed, markMailSent, postponeMail } from './mail.queries.ts'
import type { RenderedMail } from './render-mail.ts'

const lanes = 3
/** Longer than the timeout for a mail server that hangs. */
const lease = MINUTE
const pollEvery = 5 * SECOND
const stopWaitMax = 3 * SECOND
/** The delays after failed attempts; after the last one the mail has failed. About two days in total. */
const waits = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  16 * HOUR,
  16 * HOUR,
]

/** Delivers the outbox by SMTP. One mail, one claim: a crash repeats at most the mails in flight, with the same Message-ID. */
export function startMailWorker(services: Services, smtpUrl: string): Required<Worker> {
  const transport = createTransport(smtpUrl, {
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 30 * SECOND,
  } as object)
  let isStopped = false
  let isWoken = false
  let round: Promise<void> | undefined

  const runRound = async () => {
    do {
      isWoken = false
      await Promise.all(Array.from({ length: lanes }, () => drain(services, transport, () => isStopped)))
    } while (isWoken && !isStopped)
  }
  const wake = () => {
    isWoken = true
    if (round || isStopped) return
    round = noteRun(services.db, 'mailDelivery', runRound)
      .catch((error: unknown) => services.log.warn({ code: codeOf(error) }, 'the outbox cannot be read'))
      .finally(() => (round = undefined))
  }
  const poll = setInterval(wake, pollEvery)
  wake()
  return {
    topic: 'mail',
    wake,
    async stop() {
      isStopped = true
      clearInterval(poll)
      // A server that hangs must not delay the shutdown; the mail is released when its lease expires.
      await Promise.race([round, new Promise((resolve) => setTimeout(resolve, stopWaitMax).unref())])
      transport.close()
    },
  }
}

async function drain(services: Services, transport: Transporter, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const mail = await claimDueMail(services.db, lease)
    if (!mail) return
    try {
      await deliver(services, transport, mail)
      await markMailSent(services.db, mail.id)
    } catch (error) {
      const wait = waits[mail.attempts - 1]
      const code = codeOf(error)
      services.log.warn(
        { mail: mail.id, kind: mail.kind, attempts: mail.attempts, code },
        'a mail was not delivered',
      )
      if (wait === undefined) await markMailFailed(services.db, mail.id, code)
      else await postponeMail(services.db, mail.id, wait, code)
    }
  }
}

type ClaimedMail = NonNullable<Awaited<ReturnType<typeof claimDueMail>>>

async function deliver({ keys, config }: Services, transport: Transporter, mail: ClaimedMail): Promise<void> {
  if (!mail.sealed_message) throw new Error('a waiting mail without a message')
  const message = JSON.parse(keys.open('mail', mail.id, mail.sealed_message)) as RenderedMail
  await transport.sendMail({
    from: config.mailFrom,
    // An object, so that a comma in the address cannot make two of it.
    to: { name: '', address: mail.to_address },
    messageId: `<${mail.id}@${config.publicUrl.hostname}>`,
    ...message,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** The error's code or SMTP status: its text may hold the address. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown'
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return String(responseCode ?? code ?? 'unknown')
}

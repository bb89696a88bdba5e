import { HOUR, MINUTE, SECOND } from '#contract/durations.ts'
import { noteRun } from '../jobs/note-run.ts'
import type { Worker } from '../noun.ts'
import type { Services } from '../services.ts'
import { lease, openTransport, tryMail } from './deliver-mail.ts'
import { claimDueMail } from './mail.queries.ts'
import { failureOf } from './mail-failure.ts'

const lanes = 3
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
  const transport = openTransport(smtpUrl)
  let stopped = false
  let isWoken = false
  let round: Promise<void> | undefined
  const isStopped = () => stopped

  const drain = async () => {
    while (!stopped) {
      const mail = await claimDueMail(services.db, lease)
      if (!mail) return
      await tryMail(services, mail, { transport, isStopped, waits })
    }
  }
  const runRound = async () => {
    do {
      isWoken = false
      await Promise.all(Array.from({ length: lanes }, drain))
    } while (isWoken && !stopped)
  }
  const wake = () => {
    isWoken = true
    if (round || stopped) return
    round = noteRun(services.db, 'mailDelivery', runRound)
      .catch((error: unknown) =>
        services.log.warn({ code: failureOf(error).error }, 'the outbox cannot be read'),
      )
      .finally(() => (round = undefined))
  }
  const poll = setInterval(wake, pollEvery)
  wake()
  return {
    topic: 'mail',
    wake,
    async stop() {
      stopped = true
      clearInterval(poll)
      // A server that hangs must not delay the shutdown; the mail is released when its lease expires.
      await Promise.race([round, new Promise((resolve) => setTimeout(resolve, stopWaitMax).unref())])
      transport.close()
    },
  }
}

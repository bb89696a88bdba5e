import { SECOND } from '#contract/platform/durations.ts'
import type { MailFailureReason } from '#contract/platform/console-mails.ts'
import { findFaultOfList } from '../people/kyc/screening/list-file.ts'
import { failureOf, failureReasonOf } from '../platform/mail/mail-failure.ts'
import { limitsOfTrial, openTransport } from '../platform/mail/smtp-transport.ts'
import { sentence, type Sentence } from '../platform/text/sentence.ts'
import type { Services } from '../platform/services.ts'

/** Time after which a dependency counts as not responding, in milliseconds. */
const answerTimeMax = 20 * SECOND

type Looking = Pick<Services, 'config' | 'files' | 'log'>
type Look = (looking: Looking) => Promise<Sentence | undefined>

/**
 * Checks dependencies that startup does not wait for: the mail server, the bucket, the screening list. For each
 * problem, the log gets one sentence that names the setting. The server keeps running, because all of them may recover.
 */
export async function checkDependencies(looking: Looking, patience = answerTimeMax): Promise<void> {
  await Promise.all(
    looks.map(async ({ setting, look }) => {
      const fault = await within(patience, setting, look(looking))
      if (fault) looking.log.warn({ setting, sentence: fault })
    }),
  )
}

async function within(
  patience: number,
  setting: string,
  looked: Promise<Sentence | undefined>,
): Promise<Sentence | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Sentence>((resolve) => {
    timer = setTimeout(
      () => resolve(sentence`${{ setting }}: no response within ${patience / SECOND} seconds.`),
      patience,
    )
    timer.unref()
  })
  return Promise.race([looked.catch(() => sentence`${{ setting }} couldn’t be checked.`), late]).finally(() =>
    clearTimeout(timer),
  )
}

const mailWords: { readonly [Trouble in MailFailureReason]?: Sentence } = {
  authentication: sentence`rejects the username or password`,
  tls: sentence`doesn’t offer a trusted encrypted connection`,
  connection_refused: sentence`isn’t running: nothing listens on its port`,
  host_unknown: sentence`wasn’t found: its host name can’t be resolved`,
  timed_out: sentence`isn’t responding`,
  connection_lost: sentence`drops the connection`,
}

const tryMailServer: Look = async ({ config }) => {
  if (!config.smtpUrl) return undefined
  const transport = openTransport(config.smtpUrl, limitsOfTrial)
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    const failure = failureOf(error)
    const words =
      mailWords[failureReasonOf(failure)] ?? sentence`rejects the connection (${{ code: failure.error }})`
    return sentence`The mail server ${{ host: new URL(config.smtpUrl).host }} in SMTP_URL ${words}. Emails stay in the outbox until it accepts them.`
  } finally {
    transport.close()
  }
}

const tryBucket: Look = async ({ config, files }) => {
  if (!config.storageUrl) return undefined
  const { host } = new URL(config.storageUrl)
  try {
    // The folder is empty, and a working bucket says so.
    await files.list('health')
    return undefined
  } catch (error) {
    const { cause } = error as { cause?: { message?: string; status?: number } }
    const said = cause?.message ?? ''
    const words =
      /status 40[13]\b/.test(said) || cause?.status === 403
        ? sentence`rejects the key`
        : said.includes('no such bucket')
          ? sentence`doesn’t exist`
          : sentence`isn’t responding`
    return sentence`The bucket at ${{ host }} in STORAGE_URL ${words}. Photos and documents can’t be stored or read until this is fixed.`
  }
}

const tryScreeningList: Look = async ({ config }) => {
  if (!config.screeningList) return undefined
  const fault = await findFaultOfList(config.screeningList)
  return fault && sentence`There’s a problem with the SCREENING_LIST file: ${fault}.`
}

const looks: readonly { setting: string; look: Look }[] = [
  { setting: 'SMTP_URL', look: tryMailServer },
  { setting: 'STORAGE_URL', look: tryBucket },
  { setting: 'SCREENING_LIST', look: tryScreeningList },
]

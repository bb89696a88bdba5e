import { commandLine } from '#api/platform/command-line.ts'
import type { HealthCheck } from '#contract/console/console-health.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { failureOf } from '../../platform/mail/mail-failure.ts'
import { limitsOfTrial, openTransport } from '../../platform/mail/smtp-transport.ts'
import { checked, type Examined } from '../check.ts'
import type { Dns, Outside } from './outside.ts'

/** Selectors under which mail servers and providers usually publish their keys. */
const usualSelectors = (
  'default mail dkim email smtp key1 s1 s2 k1 k2 k3 google selector1 selector2 fm1 mx pm protonmail zoho ' +
  'mandrill everlytickey1 mailjet scph0 resend'
).split(' ')

const isAbsent = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes((error as { code?: string }).code ?? '')

/** A DNS result: records, or none. Everything but a clear answer is thrown. */
const found = <T>(asked: Promise<T[]>): Promise<T[]> =>
  asked.catch((error: unknown) => {
    if (isAbsent(error)) return []
    throw error
  })

const textsOf = async (dns: Dns, name: string): Promise<string[]> =>
  (await found(dns.resolveTxt(name))).map((parts) => parts.join(''))

/** Whether recipients can verify that our emails are ours, as far as DNS shows. */
export async function checkMailDomain({ config }: Examined, { dns, dkim }: Outside): Promise<HealthCheck> {
  const domain = /@([^@>\s]+)>?\s*$/.exec(config.mailFrom)?.[1]?.toLowerCase() ?? ''
  const isAsked = config.smtpUrl !== undefined && domain.includes('.')
  if (!isAsked) return checked('mailDomain', { facts: {}, isUnchecked: true })
  try {
    const spf = (await textsOf(dns, domain)).filter((text) => /^v=spf1(\s|$)/i.test(text))
    const isThere = spf.length > 0 || (await exists(dns, domain))
    const selector = await findSelector(dns, domain, dkim)
    const dmarc = await findDmarc(dns, domain)
    return checked('mailDomain', {
      facts: {
        senderDomain: domain,
        spf: spf[0]?.slice(0, 200),
        dkim: selector.name,
        dmarc: dmarc?.slice(0, 200),
      },
      problems: {
        mail_domain_unknown: !isThere,
        spf_missing: isThere && spf.length === 0,
        spf_several: spf.length > 1,
        spf_open: spf.some((text) => /\s\+?all(\s|$)/i.test(text)),
        dkim_missing: isThere && selector.isMissing,
        dmarc_missing: isThere && dmarc === undefined,
      },
    })
  } catch (error) {
    const why = (error as { code?: string }).code
    return checked('mailDomain', { facts: { senderDomain: domain, why }, isUnchecked: true })
  }
}

const exists = async (dns: Dns, domain: string): Promise<boolean> => {
  const asked = [dns.resolveMx(domain), dns.resolve4(domain), dns.resolve6(domain)]
  const answers = await Promise.all(asked.map((each) => found<unknown>(each)))
  return answers.some((records) => records.length > 0)
}

/** Keys under a custom selector can't be found, but their complete absence can (RFC 8020). */
async function findSelector(dns: Dns, domain: string, given: string | undefined) {
  const place = `_domainkey.${domain}`
  for (const name of given === undefined ? usualSelectors : [given]) {
    const texts = await textsOf(dns, `${name}.${place}`)
    if (texts.some((text) => /(^|;)\s*p=\S/.test(text))) return { name, isMissing: false }
  }
  if (given !== undefined) return { name: undefined, isMissing: true }
  const isMissing = await dns.resolveTxt(place).then(
    () => false,
    (error: { code?: string }) => error.code === 'ENOTFOUND',
  )
  return { name: undefined, isMissing }
}

/** The record of the domain, or of a parent domain, which then applies (RFC 7489). */
async function findDmarc(dns: Dns, domain: string): Promise<string | undefined> {
  const labels = domain.split('.')
  for (let from = 0; from <= labels.length - 2; from += 1) {
    const texts = await textsOf(dns, `_dmarc.${labels.slice(from).join('.')}`)
    const record = texts.find((text) => /^v=DMARC1\s*(;|$)/i.test(text))
    if (record !== undefined) return record
  }
  return undefined
}

const patience = 40 * SECOND

/** Whether the mail server accepts us and, with a recipient, an email. */
export async function checkMailServer({ config }: Examined, { mailTo }: Outside): Promise<HealthCheck> {
  if (config.smtpUrl === undefined) return checked('mailServer', { facts: {}, isUnchecked: true })
  const transport = openTransport(config.smtpUrl, limitsOfTrial)
  try {
    const refused = await failing(transport.verify())
    const unsent =
      refused === undefined && mailTo !== undefined
        ? await failing(
            transport.send({
              from: config.mailFrom,
              to: { name: '', address: mailTo },
              subject: `Test email from ${config.publicUrl.hostname}`,
              text: `This email was sent by ${commandLine('doctor')}. If you’re reading this, it arrived.`,
              headers: { 'Auto-Submitted': 'auto-generated' },
              disableFileAccess: true,
              disableUrlAccess: true,
            }),
          )
        : undefined
    return checked('mailServer', {
      facts: { why: refused ?? unsent },
      problems: { mail_server_unreachable: refused !== undefined, mail_refused: unsent !== undefined },
    })
  } finally {
    transport.close()
  }
}

/** The failure code, because a mail server's text may contain addresses. */
async function failing(work: Promise<unknown>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('ETIMEDOUT'), patience)
  })
  const done = work.then(
    () => undefined,
    (error: unknown) => failureOf(error).error,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

import { execFile } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { fileURLToPath } from 'node:url'
import type { Resolver as PromisedResolver } from 'node:dns/promises'
import { probeBodyMax } from '../probe.ts'
import { MINUTE, SECOND } from '#contract/durations.ts'

export type Dns = Pick<PromisedResolver, 'resolveTxt' | 'resolveMx' | 'resolve4' | 'resolve6'>

/** What the checks from outside need of the world. */
export type Outside = {
  dns: Dns
  now: () => Date
  /** What time it is, from a server of somebody else. */
  time: () => Promise<Date | undefined>
  /** In milliseconds, how long a proxy has to wait for an answer. */
  slowAnswer: number
  /** In bytes, what a proxy has to let through. */
  largestBody: number
  /** Certificates of authorities besides those that Node.js knows. */
  ca?: string
  /** What `npm audit` says. */
  audit: () => Promise<string>
  /** Whom a test mail is sent to. */
  mailTo?: string | undefined
  /** A name under which a key for signing mails is published. */
  dkim?: string | undefined
}

/** The one that `npm audit` asks. */
const registry = process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/'
const root = fileURLToPath(new URL('../../..', import.meta.url))

export const theWorld = (options: Pick<Outside, 'mailTo' | 'dkim'> = {}): Outside => ({
  dns: new Resolver({ timeout: 3 * SECOND, tries: 2 }),
  now: () => new Date(),
  time: async () => {
    const { headers } = await fetch(registry, { method: 'HEAD', signal: AbortSignal.timeout(10 * SECOND) })
    return new Date(headers.get('date') ?? NaN)
  },
  // nginx gives up after a minute unless it is told otherwise, many others after 30 seconds.
  slowAnswer: 35 * SECOND,
  largestBody: probeBodyMax,
  audit: () =>
    new Promise((resolve) => {
      // It ends with 1 where it found something.
      execFile(
        'npm',
        ['audit', '--json', '--omit=dev'],
        { cwd: root, timeout: MINUTE, maxBuffer: 2 ** 26 },
        (_, out) => resolve(out),
      )
    }),
  ...options,
})

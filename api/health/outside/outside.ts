import { execFile } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { fileURLToPath } from 'node:url'
import type { Resolver as PromisedResolver } from 'node:dns/promises'
import { probeBodyMax } from '../probe.ts'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'

export type Dns = Pick<PromisedResolver, 'resolveTxt' | 'resolveMx' | 'resolve4' | 'resolve6'>

/** External dependencies of the outside checks. */
export type Outside = {
  dns: Dns
  now: () => Date
  /** The time according to another server. */
  time: () => Promise<Date | undefined>
  /** How long a proxy must wait for an answer, in milliseconds. */
  slowAnswer: number
  /** The body size that a proxy must allow, in bytes. */
  largestBody: number
  /** CA certificates in addition to those of Node.js. */
  ca?: string
  /** Output of `npm audit`. */
  audit: () => Promise<string>
  /** Recipient of a test email. */
  mailTo?: string | undefined
  /** A DKIM selector. */
  dkim?: string | undefined
}

/** The registry that `npm audit` uses. */
const registry = process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/'
const root = fileURLToPath(new URL('../../..', import.meta.url))

export const theWorld = (options: Pick<Outside, 'mailTo' | 'dkim'> = {}): Outside => ({
  dns: new Resolver({ timeout: 3 * SECOND, tries: 2 }),
  now: () => new Date(),
  time: async () => {
    const { headers } = await fetch(registry, { method: 'HEAD', signal: AbortSignal.timeout(10 * SECOND) })
    return new Date(headers.get('date') ?? NaN)
  },
  // nginx gives up after a minute by default, many others after 30 seconds.
  slowAnswer: 35 * SECOND,
  largestBody: probeBodyMax,
  audit: () =>
    new Promise((resolve) => {
      // Exits with 1 if it found something.
      execFile(
        'npm',
        ['audit', '--json', '--omit=dev'],
        { cwd: root, timeout: MINUTE, maxBuffer: 2 ** 26 },
        (_, out) => resolve(out),
      )
    }),
  ...options,
})

import { execFile } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { fileURLToPath } from 'node:url'
import type { Resolver as PromisedResolver } from 'node:dns/promises'
import { MINUTE, SECOND } from '#contract/durations.ts'

export type Dns = Pick<PromisedResolver, 'resolveTxt' | 'resolveMx' | 'resolve4' | 'resolve6'>

/** What the checks from outside need of the world. */
export type Outside = {
  dns: Dns
  now: () => Date
  /** Certificates of authorities besides those that Node.js knows. */
  ca?: string
  /** What `npm audit` says. */
  audit: () => Promise<string>
  /** Whom a test mail is sent to. */
  mailTo?: string | undefined
  /** A name under which a key for signing mails is published. */
  dkim?: string | undefined
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

export const theWorld = (options: Pick<Outside, 'mailTo' | 'dkim'> = {}): Outside => ({
  dns: new Resolver({ timeout: 3 * SECOND, tries: 2 }),
  now: () => new Date(),
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

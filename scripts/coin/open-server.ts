import { parseArgs } from 'node:util'
import { SECOND } from '#contract/platform/durations.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { findInstallation } from './installation.ts'
import { patienceDefault, type Server } from './perform-upgrade.ts'
import { openService, readyUrlOf } from './service.ts'
import { lockUpgrades } from './state-file.ts'

type Words = { isConfirmed: boolean; patience: number; files: string[] }

/** Reads the words after `coin upgrade` or `coin rollback`. */
export function readWords(count: number, usage: string): Words {
  try {
    const { values, positionals } = parseArgs({
      options: { yes: { type: 'boolean' }, wait: { type: 'string' } },
      allowPositionals: true,
    })
    const patience = values.wait === undefined ? patienceDefault : Number(values.wait) * SECOND
    if (positionals.length === count && patience > 0)
      return { isConfirmed: values.yes ?? false, patience, files: positionals }
  } catch {
    // The usage says which words there are.
  }
  throw new StartRefused(`Usage: ${usage}.`)
}

/** Opens the server for a command that changes it, and locks it for other such commands. */
export async function openServer(patience: number): Promise<Server> {
  const installation = findInstallation()
  await lockUpgrades(installation)
  return { installation, patience, service: openService(process.env), readyUrl: readyUrlOf(process.env) }
}

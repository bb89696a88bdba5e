import { commandLine } from '#api/platform/command-line.ts'
import type { Database } from '#api/platform/db/database.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { grantRights, grantUsage } from './admin/grant-rights.ts'
import { resetFactor, resetFactorUsage } from './admin/reset-factor.ts'
import { switchMaintenance } from './admin/switch-maintenance.ts'
import { runWithDatabase } from './reach-database.ts'

type Command = {
  usage: string
  /** Returns the sentence to print. */
  run: (db: Database, args: readonly string[]) => Promise<string>
}

/** What administrators can do without signing in, by sub-command. */
const commands: Readonly<Record<string, Command>> = {
  grant: { usage: grantUsage, run: grantRights },
  'reset-factor': { usage: resetFactorUsage, run: resetFactor },
  maintenance: { usage: 'maintenance on [--until TIME], or maintenance off', run: switchMaintenance },
}

const usages = Object.values(commands).map(({ usage }) => commandLine('admin', usage))

const [name = '', ...args] = process.argv.slice(2)
// A running program is told by the database, so the command uses that program's database server.
await runWithDatabase('read', async (db) => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new StartRefused(`Name one of these commands:\n  ${usages.join('\n  ')}`)
  console.log(await command.run(db, args))
})

import { randomBytes } from 'node:crypto'
import { startChainMonitor } from '#api/money/chain-payments/monitor-chains.ts'
import { readConfig } from '#api/platform/config/config.ts'
import { openDatabase } from '#api/platform/db/database.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { makeKnownMaintenance } from '#api/platform/maintenance/known-maintenance.ts'

/* An instance that only monitors chains, to be killed. */

const config = readConfig(process.env)
const db = openDatabase(config.databaseUrl!, () => {})
const log = { warn: () => {}, error: (...said: unknown[]) => console.error(...said) }
startChainMonitor({
  db,
  config,
  keys: makeKeys(randomBytes(32)),
  log: log as never,
  maintenance: makeKnownMaintenance(db),
})
process.on('disconnect', () => process.exit(1))

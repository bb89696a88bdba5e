import { randomBytes } from 'node:crypto'
import { startChainMonitor } from '#api/chain-payments/monitor-chains.ts'
import { readConfig } from '#api/config.ts'
import { openDatabase } from '#api/db/database.ts'
import { makeKeys } from '#api/keys.ts'

/* An instance that only monitors chains, to be killed. */

const config = readConfig(process.env)
const db = openDatabase(config.databaseUrl!, () => {})
const log = { warn: () => {}, error: (...said: unknown[]) => console.error(...said) }
startChainMonitor({ db, config, keys: makeKeys(randomBytes(32)), log: log as never })
process.on('disconnect', () => process.exit(1))

import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { StartRefused } from '../start-refused.ts'

test('accepts several database hosts, a direct address, and limits', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://u:p@db1:5432,db2/coin',
    DATABASE_DIRECT_URL: 'postgres://u:p@db1/coin',
    DATABASE_POOL_SIZE: '8',
    DATABASE_STATEMENT_SECONDS: '30',
  })
  expect(config).toMatchObject({
    databaseUrl: 'postgres://u:p@db1:5432,db2/coin',
    databaseDirectUrl: 'postgres://u:p@db1/coin',
    poolLimits: { connections: 8, connect: 2000, statement: 30_000, idle: 10_000 },
  })
})

test.each([
  ['DATABASE_URL', 'postgres://u:p@db1:5432,db2:x/coin', {}],
  ['DATABASE_DIRECT_URL', 'postgres://db/coin', {}],
  ['DATABASE_POOL_SIZE', '1', {}],
  ['DATABASE_CONNECT_SECONDS', '0', {}],
  ['DATABASE_STATEMENT_SECONDS', '601', {}],
  ['DATABASE_IDLE_SECONDS', 'x', {}],
  ['BACKUP_KEEP_DAYS', '0', {}],
  ['BACKUP_TO', 'https://K:S@s3.example/b', { STORAGE_URL: 'https://K:S@s3.example/b' }],
])('the setting %s is refused as %j', (name, value, more) => {
  const read = () => readConfig({ [name]: value, ...more })
  expect(read).toThrow(StartRefused)
  expect(read).toThrow(name)
})

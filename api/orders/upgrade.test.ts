import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { withDatabase } from '#tests/setup/database-server.ts'

const directory = join(import.meta.dirname, '../db/migrations')

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

test('orders of an older release are not cancelled by the upgrade, and keep the transactions they share', async () => {
  const server = await connect(inject('databaseServer').url)
  const name = `upgrade_${randomUUID().replaceAll('-', '')}`
  await server.query(`create database ${name}`)
  const client = await connect(withDatabase(inject('databaseServer').url, name))
  onTestFinished(async () => {
    await client.end()
    await server.query(`drop database ${name}`)
    await server.end()
  })
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted()
  const at = files.indexOf('0017-order-deadlines.sql')
  const apply = async (some: string[]) => {
    for (const file of some) await client.query(await readFile(join(directory, file), 'utf8'))
  }
  await apply(files.slice(0, at))
  await client.query(`
    insert into member (id, email) values ('m', 'm@example.org');
    insert into token_order (id, member_id, status, tx_id, created_at) values
      ('unpaid', 'm', 'pending', '', '2025-01-01Z'),
      ('first', 'm', 'completed', 'ABC', '2025-01-02Z'),
      ('second', 'm', 'pending', '0xabc', '2025-01-03Z'),
      ('third', 'm', 'pending', 'a b c', '2025-01-04Z'),
      ('alone', 'm', 'pending', 'd', '2025-01-05Z')`)
  await apply(files.slice(at))
  const { rows } = await client.query(
    `select id, tx_id as "txId", tx_key as key, is_tx_shared as "isShared", pay_before as "payBefore", is_reported_late as "isLate"
     from token_order order by created_at`,
  )
  const row = (id: string, txId: string, key: string, isShared: boolean) => ({
    id,
    txId,
    key,
    isShared,
    // The program gives deadlines at its next start, by its setting.
    payBefore: null,
    isLate: false,
  })
  expect(rows).toEqual([
    row('unpaid', '', '', false),
    row('first', 'ABC', 'abc', false),
    row('second', '0xabc', 'abc', true),
    row('third', 'a b c', 'abc', true),
    row('alone', 'd', 'd', false),
  ])
})

import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { aWayTo } from '#tests/setup/way-to-database.ts'
import { StartRefused } from '../start-refused.ts'
import { addressesOf, clientConfigOf, hostsOf } from '../config/database-address.ts'
import { isOutage, openDatabase, transaction, type Database } from './database.ts'
import { refusalOfConnection } from './explain-connection.ts'
import type { PoolLimits } from '../config/pool-limits.ts'

async function aDatabase(): Promise<string> {
  const url = await copyTemplate()
  onTestFinished(() => dropDatabase(url))
  return url
}

function opened(url: string, limits?: PoolLimits): Database {
  const db = openDatabase(url, () => {}, limits ? { limits } : {})
  onTestFinished(() => db.destroy())
  return db
}

const one = async (db: Database) => (await sql<{ n: number }>`select 1 as n`.execute(db)).rows[0]!.n
const brief: PoolLimits = { connections: 2, connect: 1000, statement: 300, idle: 10_000 }

test('a database that stops answering counts as an outage, and is used again once it answers', async () => {
  const { way, url } = await aWayTo(await aDatabase())
  const db = opened(url, brief)
  expect(await one(db)).toBe(1)
  way.isSilent = true
  const error = await one(db).catch((failure: unknown) => failure)
  expect(isOutage(error)).toBe(true)
  way.isSilent = false
  expect(await one(db)).toBe(1)
  expect(way.connections).toBeGreaterThan(1)
})

test('a transaction that extends its time limit gets it on this side too', async () => {
  const db = opened(await aDatabase(), { ...brief, statement: 100 })
  await expect(sql`select pg_sleep(0.3)`.execute(db)).rejects.toMatchObject({ code: '57014' })
  await transaction(db, async (db) => {
    await sql`set local statement_timeout = 0`.execute(db)
    await sql`select pg_sleep(2.5)`.execute(db)
  })
})

test('while the server has no connection left, requests wait longer before being refused', async () => {
  const { way, url } = await aWayTo(await aDatabase())
  let refused = 0
  way.refuse = () => {
    refused += 1
    return { code: '53300', message: 'sorry, too many clients already' }
  }
  const db = opened(url, { ...brief, connect: 300 })
  const many = Promise.all(Array.from({ length: 6 }, () => one(db)))
  await expect.poll(() => refused).toBeGreaterThan(3)
  delete way.refuse
  expect(await many).toEqual([1, 1, 1, 1, 1, 1])

  way.refuse = () => ({ code: '53300', message: 'sorry, too many clients already' })
  const other = opened(url, { ...brief, connect: 100 })
  const error = await one(other).catch((failure: unknown) => failure)
  expect(isOutage(error)).toBe(true)
})

test('uses a pooler that refuses limits at connection start without them', async () => {
  const { way, url } = await aWayTo(await aDatabase())
  way.refuse = (start) =>
    start.includes('statement_timeout')
      ? { code: '08P01', message: 'unsupported startup parameter: statement_timeout' }
      : undefined
  const db = opened(url, brief)
  expect(await one(db)).toBe(1)
  await expect(sql`select pg_sleep(1)`.execute(db)).rejects.toMatchObject({ code: '57014' })
})

describe('of several hosts', () => {
  const joined = (...urls: string[]) =>
    urls[0]!.replace(/(@|\/\/)[^@/]+\//, `$1${urls.map((url) => new URL(url).host).join(',')}/`)

  test('uses the host that answers, and another one once it stops', async () => {
    const database = await aDatabase()
    const [first, second] = [await aWayTo(database), await aWayTo(database)]
    first.way.refuse = () => ({ code: '57P03', message: 'the database system is starting up' })
    const db = opened(joined(first.url, second.url), brief)
    expect(await one(db)).toBe(1)
    expect(second.way.connections).toBeGreaterThan(0)

    delete first.way.refuse
    second.way.isSilent = true
    await one(db).catch(() => undefined)
    await expect.poll(() => one(db).catch(() => 0)).toBe(1)
  })

  test('a connection that breaks before use is an outage, and does not end the program', async () => {
    const database = await aDatabase()
    const { way, url } = await aWayTo(database)
    const db = opened(joined(url, url), { ...brief, idle: 1 })
    expect(await one(db)).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    way.cutAt = 'pg_is_in_recovery'
    const error = await one(db).catch((failure: unknown) => failure)
    expect(isOutage(error)).toBe(true)
    delete way.cutAt
    expect(await one(db)).toBe(1)
  })

  test('use the same user, password, and database', () => {
    const url = 'postgres://app:a%2Cb@db1:5433,db2,[::1]:5434/coin?sslmode=require'
    expect(addressesOf(url)).toEqual([
      'postgres://app:a%2Cb@db1:5433/coin?sslmode=require',
      'postgres://app:a%2Cb@db2/coin?sslmode=require',
      'postgres://app:a%2Cb@[::1]:5434/coin?sslmode=require',
    ])
    expect(hostsOf(url)).toBe('db1:5433, db2, [::1]:5434')
    expect(addressesOf('postgres://app:a,b@db1/coin')).toEqual(['postgres://app:a,b@db1/coin'])
  })
})

describe('an address that asks for TLS', () => {
  const tls = (query: string) => clientConfigOf(`postgres://app:x@db1/coin${query}`).ssl

  test('is verified, unless it turns that off', () => {
    expect(tls('')).toBeUndefined()
    expect(tls('?sslmode=disable')).toBe(false)
    for (const mode of ['prefer', 'require', 'verify-full']) expect(tls(`?sslmode=${mode}`)).toEqual({})
    expect(tls('?sslmode=verify-full&sslrootcert=system')).toEqual({})
    expect(tls('?sslmode=no-verify')).toEqual({ rejectUnauthorized: false })
    expect(tls('?sslmode=verify-ca')).toEqual({ checkServerIdentity: expect.any(Function) })
    expect(clientConfigOf('postgres://a@b/c?sslmode=require').connectionString).toBe('postgres://a@b/c')
  })

  test('is refused with a sentence if its mode or a file is invalid', () => {
    expect(() => tls('?sslmode=on')).toThrow(StartRefused)
    expect(() => tls('?sslmode=on')).toThrow(/sslmode must be one of disable, .*verify-full\.$/)
    expect(() => tls('?sslrootcert=/nowhere.pem')).toThrow(/sslrootcert .* \(ENOENT\): \/nowhere\.pem\.$/)
  })

  const url = 'postgres://app:secret@db1:5433/coin'
  const failure = (code: string, message = 'x') => Object.assign(new Error(message), { code })
  test.each([
    [failure('DEPTH_ZERO_SELF_SIGNED_CERT'), 'is self-signed: set sslrootcert'],
    [failure('SELF_SIGNED_CERT_IN_CHAIN'), 'is signed by an unknown authority'],
    [failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'is signed by an unknown authority'],
    [failure('ERR_TLS_CERT_ALTNAME_INVALID'), 'is for another host'],
    [failure('CERT_HAS_EXPIRED'), 'has expired'],
    [new Error('The server does not support SSL connections'), 'doesn’t support TLS'],
    [failure('28000', 'no pg_hba.conf entry for host "::1", no encryption'), 'add sslmode=require'],
    [failure('28P01'), 'rejects the user, password'],
    [failure('53300'), 'no connections left'],
    [failure('57P03'), 'doesn’t accept writes'],
    [failure('ECONNREFUSED'), 'can’t be reached (ECONNREFUSED)'],
  ])('%s is explained in a sentence without the password', (error, part) => {
    const { message } = refusalOfConnection(url, error)!
    expect(message).toContain(part)
    expect(message).toMatch(/^The database at db1:5433 [^\n]*\.$/)
    expect(message).not.toContain('secret')
  })

  test('is not blamed for other errors', () => {
    expect(refusalOfConnection(url, failure('42703'))).toBeUndefined()
  })
})

import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '#tests/setup/start-api.ts'
import { transaction, type Database } from '../db/database.ts'
import { recordAudit, sealEntries } from './audit.queries.ts'
import { sealAudit, startSealer } from './seal-audit.ts'
import { verifyAudit } from './verify-audit.ts'

const write = (db: Database, count: number) =>
  transaction(db, async (db) => {
    for (let n = 0; n < count; n += 1)
      await recordAudit(db, {
        actorId: null,
        action: 'sale-updated',
        subjectKind: 'sale',
        subjectId: `${n}`,
        detail: { n },
      })
  })

async function countUnsealed(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_entry where hash is null`.execute(db)
  return rows[0]!.count
}

/** Holds the lock that lets one instance seal at a time. */
async function holdLock(db: Database): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const work = transaction(db, async (db) => {
    await sql`select pg_advisory_xact_lock(7146006)`.execute(db)
    held.resolve()
    await released.promise
  })
  await held.promise
  return async () => {
    released.resolve()
    await work
  }
}

test('a write doesn’t wait for the sealing of other entries', async () => {
  const { db } = (await startApi()).services
  const release = await holdLock(db)
  onTestFinished(release)
  await Promise.all(Array.from({ length: 16 }, () => write(db, 2)))
  expect(await sealEntries(db, 100)).toBe(0)
  expect(await countUnsealed(db)).toBe(32)
  await release()
  await sealAudit(db)
  expect(await verifyAudit(db)).toMatchObject({ entries: 32, brokenAt: null })
})

test('a worker seals what was committed, also before it started, within 200 ms', async () => {
  const { services } = await startApi()
  const { db } = services
  // As after a program that was killed between the commit and the next batch.
  await write(db, 3)
  const sealer = startSealer(services)
  onTestFinished(() => sealer.stop())
  const waits: number[] = []
  for (let n = 0; n < 20; n += 1) {
    await write(db, 1)
    const begun = performance.now()
    while ((await countUnsealed(db)) > 0) await setTimeout(5)
    waits.push(performance.now() - begun)
  }
  // The median, because other tests use the same processors.
  expect(waits.toSorted((a, b) => a - b)[10]!).toBeLessThan(200)
  expect(await verifyAudit(db)).toMatchObject({ entries: 23, brokenAt: null })
})

test('several instances seal one chain while entries are written', async () => {
  const { services } = await startApi()
  const { db } = services
  const sealers = Array.from({ length: 3 }, () => startSealer(services))
  onTestFinished(async () => {
    for (const sealer of sealers) await sealer.stop()
  })
  for (let round = 0; round < 10; round += 1)
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => write(db, n + 1)),
      sealAudit(db),
      sealAudit(db),
      sealEntries(db, 3),
    ])
  await expect.poll(() => countUnsealed(db)).toBe(0)
  expect(await verifyAudit(db)).toMatchObject({ entries: 150, brokenAt: null })
})

test('an entry that is committed late follows those that are sealed already', async () => {
  const { db } = (await startApi()).services
  const late = Promise.withResolvers<void>()
  const isWritten = Promise.withResolvers<void>()
  const slow = transaction(db, async (db) => {
    await recordAudit(db, { actorId: 'late', action: 'sale-updated', subjectKind: 'sale', subjectId: null })
    isWritten.resolve()
    await late.promise
  })
  await isWritten.promise
  await write(db, 2)
  await sealAudit(db)
  late.resolve()
  await slow
  await sealAudit(db)
  expect(await verifyAudit(db)).toMatchObject({ entries: 3, brokenAt: null })
  const { rows } = await sql`select actor_id from audit_entry order by seq desc limit 1`.execute(db)
  expect(rows).toEqual([{ actor_id: 'late' }])
})

test('a batch that is interrupted before its commit is sealed again as a whole', async () => {
  const { db } = (await startApi()).services
  await write(db, 5)
  await expect(
    transaction(db, async (db) => {
      expect(await sealEntries(db, 100)).toBe(5)
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)
    }),
  ).rejects.toThrow()
  expect(await countUnsealed(db)).toBe(5)
  await write(db, 1)
  await sealAudit(db)
  expect(await verifyAudit(db)).toMatchObject({ entries: 6, brokenAt: null })
})

test('an entry without a seal for more than a minute is a fault, a new one is not', async () => {
  const { db } = (await startApi()).services
  await write(db, 2)
  await sealAudit(db)
  await write(db, 1)
  expect((await verifyAudit(db)).brokenAt).toBeNull()
  await sql.raw('alter table audit_entry disable trigger user').execute(db)
  await sql`update audit_entry set at = now() - interval '2 minutes' where hash is null`.execute(db)
  await sql.raw('alter table audit_entry enable trigger user').execute(db)
  expect(await verifyAudit(db)).toMatchObject({ entries: 2, brokenAt: { seq: 3, why: 'unsealed' } })
  await sealAudit(db)
  expect(await verifyAudit(db)).toMatchObject({ entries: 3, brokenAt: null })
})

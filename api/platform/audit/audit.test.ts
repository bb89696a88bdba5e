import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { transaction } from '../db/database.ts'
import { recordAudit } from './audit.queries.ts'
import { sealAudit } from './seal-audit.ts'
import { verifyAudit } from './verify-audit.ts'

const entry = (n: number): Parameters<typeof recordAudit>[1] => ({
  actorId: n % 3 === 0 ? null : `member ${n}`,
  action: 'sale-updated',
  subjectKind: 'sale',
  subjectId: n % 2 === 0 ? null : `${n}`,
  detail: { n, 'field — 字段': ['a', 'b'] },
})

async function aLog(count: number): Promise<TestApi> {
  const started = await startApi()
  for (let n = 0; n < count; n += 1) await recordAudit(started.services.db, entry(n))
  await sealAudit(started.services.db)
  return started
}

/** Changes the log like someone with the rights of the database owner. */
const tamper = async ({ services: { db } }: TestApi, statement: string) => {
  await sql.raw('alter table audit_entry disable trigger user').execute(db)
  await sql.raw(statement).execute(db)
  await sql.raw('alter table audit_entry enable trigger user').execute(db)
}

describe('the audit log', () => {
  test('is one chain, even with concurrent writes and rollbacks', async () => {
    const { services } = await aLog(3)
    const { db } = services
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        transaction(db, async (db) => {
          await recordAudit(db, entry(n))
          await recordAudit(db, entry(n + 100))
          if (n % 5 === 0) throw new Error('taken back')
        }).catch(() => {}),
      ),
    )
    await sealAudit(db)
    const verdict = await verifyAudit(db)
    expect(verdict).toMatchObject({ entries: 3 + 24 * 2, brokenAt: null, hasKnown: null })
    expect(verdict.head).toMatch(/^[0-9a-f]{64}$/)
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from audit_entry where hash is null`.execute(db)
    expect(rows).toEqual([{ open: 0 }])
  })

  test.each([
    ['update', `update audit_entry set action = 'x'`],
    ['update of a link', `update audit_entry set hash = null`],
    ['delete', `delete from audit_entry`],
    ['truncate', `truncate audit_entry`],
  ])('refuses %s', async (_, statement) => {
    const { services } = await aLog(2)
    await expect(sql.raw(statement).execute(services.db)).rejects.toMatchObject({ code: '42501' })
    expect(await verifyAudit(services.db)).toMatchObject({ entries: 2, brokenAt: null })
  })

  test.each([
    [`update audit_entry set detail = '{}' where seq = 3`, 3, 'changed'],
    [`update audit_entry set at = at - interval '1 microsecond' where seq = 2`, 2, 'changed'],
    [`update audit_entry set actor_id = 'other' where seq = 4`, 4, 'changed'],
    [`delete from audit_entry where seq = 2`, 2, 'missing'],
    [`update audit_entry set previous_hash = '' where seq = 5`, 5, 'relinked'],
    [`delete from audit_entry where seq = 1`, 1, 'missing'],
  ] as const)('tells where it was tampered with: %s', async (statement, seq, why) => {
    const started = await aLog(5)
    await tamper(started, statement)
    expect((await verifyAudit(started.services.db)).brokenAt).toEqual({ seq, why })
  })

  test('detects a truncated end by a known hash', async () => {
    const started = await aLog(5)
    const { head } = await verifyAudit(started.services.db)
    expect((await verifyAudit(started.services.db, head)).hasKnown).toBe(true)
    await tamper(started, 'delete from audit_entry where seq = 5')
    expect(await verifyAudit(started.services.db, head)).toMatchObject({ brokenAt: null, hasKnown: false })
  })
})

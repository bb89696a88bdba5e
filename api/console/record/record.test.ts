import { shownReference } from '../../platform/text/order-reference.ts'
import { createPublicKey, verify } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSale, aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { sealAudit } from '../../platform/audit/seal-audit.ts'
import { whenVerified } from './verify-record.ts'

type Entry = Parameters<typeof recordAudit>[1]
const entry = (fields: Partial<Entry>): Entry => ({
  actorId: null,
  action: 'sale-updated',
  subjectKind: 'sale',
  subjectId: null,
  ...fields,
})

/** Inserts an entry as if it had been written at that time. */
async function writeAt({ services: { db } }: TestApi, at: string, fields: Partial<Entry>): Promise<void> {
  await recordAudit(db, entry(fields))
  await sql.raw('alter table audit_entry disable trigger user').execute(db)
  await sql`update audit_entry set at = ${at} where id = (select max(id) from audit_entry)`.execute(db)
  await sql.raw('alter table audit_entry enable trigger user').execute(db)
}

const linesOf = ({ body }: { body: unknown }) => (body as Buffer).toString('utf8').trimEnd().split('\r\n')

const read = async (started: TestApi, admin: TestMember, query: Record<string, unknown>) => {
  const answer = await started.call(api.listRecord, { query }, { token: admin.token })
  expect(answer.status).toBe(200)
  return answer.body
}

describe('the list of the audit log', () => {
  let started: TestApi
  let admin: TestMember
  let seller: TestMember
  beforeAll(async () => {
    started = await startApi({}, afterAll)
    admin = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 1 })
    seller = await aSignedInMember(started, { manage_coins: 2, display_name: 'Sample Seller' })
    const tuesday = { actorId: seller.id, detail: { fields: ['BTC.rate'] } }
    await writeAt(started, '2026-11-17T23:59:59.999999Z', tuesday)
    await writeAt(started, '2026-11-18T00:00:00Z', { actorId: seller.id })
    await writeAt(started, '2026-11-16T23:59:59.999999Z', {})
    await sealAudit(started.services.db)
  })

  test('shows who changed the rate last Tuesday, in UTC days', async () => {
    const day = '2026-11-17'
    const found = await read(started, admin, { action: 'sale-updated', from: day, to: day })
    expect(found).toEqual([
      {
        id: expect.any(String),
        at: '2026-11-17T23:59:59.999Z',
        actor: { id: seller.id, name: 'Sample Seller' },
        action: 'sale-updated',
        subject: { kind: 'sale', id: null, name: '' },
        detail: { fields: ['BTC.rate'] },
        changes: [],
        seq: expect.any(Number),
        hash: expect.stringMatching(/^[\da-f]{64}$/),
      },
    ])
  })

  test('filters by the actor’s address, ID, or the system', async () => {
    const kind = 'sale'
    for (const actor of [seller.email.toUpperCase(), seller.id])
      expect((await read(started, admin, { actor, kind })).map(({ at }) => at)).toEqual([
        '2026-11-18T00:00:00.000Z',
        '2026-11-17T23:59:59.999Z',
      ])
    for (const actor of ['Program', '系统'])
      expect((await read(started, admin, { actor, kind })).map(({ actor }) => actor)).toEqual([null])
    expect(await read(started, admin, { actor: 'nobody@example.org' })).toEqual([])
  })

  test('filters by the subject’s ID, address, or reference, with its name', async () => {
    const buyer = await aSignedInMember(started, { display_name: 'Sample Buyer' })
    const order = await anOrder(started, buyer.id)
    await recordAudit(
      started.services.db,
      entry({ action: 'order-updated', subjectKind: 'order', subjectId: order.id }),
    )
    await recordAudit(
      started.services.db,
      entry({ action: 'member-updated', subjectKind: 'member', subjectId: buyer.id }),
    )
    const shown = shownReference(order.reference)
    for (const subject of [order.id, order.reference, order.reference.toLowerCase(), shown])
      expect((await read(started, admin, { subject, what: 'changes' }))[0]!.subject).toEqual({
        kind: 'order',
        id: order.id,
        name: shown,
      })
    expect((await read(started, admin, { subject: buyer.email, what: 'changes' }))[0]!.subject.name).toBe(
      'Sample Buyer',
    )
    await sql`update member set erased_at = now() where id = ${buyer.id}`.execute(started.services.db)
    const [erased] = await read(started, admin, { subject: buyer.id, what: 'changes' })
    expect(erased!.subject).toEqual({ kind: 'member', id: buyer.id, name: '' })
  })

  test('has each entry once over all pages, also those of one moment, in both orders', async () => {
    const { db } = started.services
    const actor = await aSignedInMember(started)
    await sql`insert into audit_entry (actor_id, action, subject_kind, at)
      select ${actor.id}, 'sale-updated', 'sale', '2026-01-01T00:00:00.000001Z'::timestamptz + (n / 3) * interval '1 microsecond'
      from generate_series(0, 24) n`.execute(db)
    for (const sort of ['at', '-at'] as const) {
      const ids: number[] = []
      let after: string | undefined
      do {
        const query = { actor: actor.id, sort, limit: 7, ...(after && { after }) }
        const answer = await started.call(api.listRecord, { query }, { token: admin.token })
        ids.push(...answer.body.map(({ id }) => Number(id)))
        const link = (answer.headers['link'] as string | undefined) ?? ''
        after = /after=([^&>]+)/.exec(link)?.[1]
      } while (after)
      expect(ids).toHaveLength(25)
      expect(ids).toEqual(ids.toSorted((a, b) => (sort === 'at' ? a - b : b - a)))
    }
  })

  test.each(['x', 'MjAyNi0wMi0zMFQwMDowMDowMC4wMDAwMDBaIDE', '%00'])(
    'starts at the beginning for an invalid cursor: %s',
    async (after) => {
      expect((await read(started, admin, { after, kind: 'sale', limit: 1 }))[0]!.at).toMatch(/^2026-11-18/)
    },
  )

  test.each([{ from: '2026-02-30' }, { to: 'yesterday' }, { action: 'nothing' }, { sort: 'id' }] as object[])(
    'rejects %j',
    async (query) => {
      const answer = await started.call(api.listRecord, { query }, { token: admin.token })
      expect(answer).toMatchObject({ status: 400, problem: { code: 'validation_failed' } })
    },
  )

  test('logs its own access, shown by the access filter', async () => {
    const reader = await aSignedInMember(started, { is_write_access_admin: true })
    await read(started, reader, { from: '2026-11-17', kind: 'sale', actor: seller.email })
    const [reading] = await read(started, admin, { actor: reader.id, what: 'readings' })
    expect(reading).toMatchObject({
      action: 'record-listed',
      detail: { count: 2, from: '2026-11-17', kind: 'sale', actor: expect.stringMatching(/^hashed:/) },
    })
    expect(await read(started, admin, { actor: reader.id, what: 'changes' })).toEqual([])
  })

  test('reads every filter from an index', async () => {
    const { db } = started.services
    for (let from = 0; from < 20_000; from += 2500)
      await sql`insert into audit_entry (actor_id, action, subject_kind, subject_id, at)
      select 'm' || n % 50, (array['member-viewed', 'kyc-viewed', 'order-updated', 'sale-updated'])[1 + n % 4],
        (array['member', 'kyc', 'order', 'sale'])[1 + n % 4], 's' || n % 200, now() - n * interval '1 minute'
      from generate_series(${from}::integer, ${from}::integer + 2499) n`.execute(db)
    await sql`analyze audit_entry`.execute(db)
    const where = [
      'true',
      `actor_id = 'm1'`,
      `actor_id is null`,
      `actor_id = 'm1' and action = 'kyc-viewed'`,
      `action = 'sale-updated'`,
      `subject_kind = 'kyc'`,
      `subject_id = 's7'`,
      `action !~ '-(listed|viewed)$'`,
      `at >= '2026-01-01' and at < '2026-01-02'`,
    ]
    for (const each of where) {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select * from audit_entry
        where ${sql.raw(each)} order by at desc, id desc limit 26`.execute(db)
      expect(rows.map((row) => row['QUERY PLAN']).join('\n'), each).not.toMatch(/Seq Scan/)
    }
  })
})

test('exports the same selection with step-up, safe for spreadsheets, and logged', async () => {
  const started = await startApi()
  const admin = await aSignedInMember(started, { is_write_access_admin: true })
  const { db } = started.services
  const named = await aSignedInMember(started, { display_name: '=cmd("x")' })
  for (let n = 0; n < 3; n += 1) await recordAudit(db, entry({ actorId: named.id }))
  const ask = (query: object) => started.call(api.exportRecord, { query }, { token: admin.token })
  const answer = await ask({ kind: 'sale', actor: named.id })
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  const lines = linesOf(answer)
  expect(lines[0]).toMatch(/^\uFEFFseq,/)
  expect(lines).toHaveLength(4)
  expect(await read(started, admin, { action: 'sale-updated', what: 'readings' })).toEqual([])
  expect(lines[1]).toContain(`,"'=cmd(""x"")",sale-updated,sale,`)
  expect(linesOf(await ask({ actor: 'nobody@example.org' }))).toHaveLength(1)
  const written = await read(started, admin, { action: 'record-exported' })
  expect(written.map(({ detail }) => detail)).toEqual([
    { count: 0 },
    {},
    { kind: 'sale', count: 3 },
    { kind: 'sale' },
  ])
  await sql`update session set proved_at = now() - interval '1 hour'`.execute(db)
  expect((await ask({})).problem.code).toBe('step_up_required')
})

describe('the chain', () => {
  const verifyAll = async (started: TestApi, admin: TestMember) => {
    const begun = await started.call(api.verifyRecord, { body: undefined }, { token: admin.token })
    expect(begun.status).toBe(202)
    await whenVerified()
    return (await started.call(api.getVerification, {}, { token: admin.token })).body.last!
  }
  const tamper = async ({ services: { db } }: TestApi, statement: string) => {
    await sql.raw('alter table audit_entry disable trigger user').execute(db)
    await sql.raw(statement).execute(db)
    await sql.raw('alter table audit_entry enable trigger user').execute(db)
  }

  test('is verified on demand, recording who did it and the result', async () => {
    const started = await startApi()
    const admin = await aSignedInMember(started, { is_write_access_admin: true })
    const before = await started.call(api.getVerification, {}, { token: admin.token })
    expect(before.body).toEqual({ last: null })
    for (let n = 0; n < 5; n += 1) await recordAudit(started.services.db, entry({}))
    const last = await verifyAll(started, admin)
    expect(last).toMatchObject({ state: 'intact', broken: null, by: admin.email })
    expect(last.checked).toBe(last.total)
    expect(last.total).toBeGreaterThanOrEqual(6)
    expect(last.head).toMatch(/^[\da-f]{64}$/)
  })

  test('is verified one at a time, over all instances', async () => {
    const started = await startApi()
    const admin = await aSignedInMember(started, { is_write_access_admin: true })
    const { db } = started.services
    await sql`insert into audit_check (started_by, total, checked) values (${admin.id}, 9, 4)`.execute(db)
    const answer = await started.call(api.verifyRecord, { body: undefined }, { token: admin.token })
    expect(answer.body).toMatchObject({ state: 'running', total: 9, checked: 4 })
    // A verification that went silent with its instance is replaced.
    await sql`update audit_check set touched_at = now() - interval '2 minutes'`.execute(db)
    const silent = await started.call(api.getVerification, {}, { token: admin.token })
    expect(silent.body.last!.state).toBe('stopped')
    expect((await verifyAll(started, admin)).state).toBe('intact')
  })

  test('if changed, is reported with the position', async () => {
    const started = await startApi()
    const admin = await aSignedInMember(started, { is_write_access_admin: true })
    for (let n = 0; n < 5; n += 1) await recordAudit(started.services.db, entry({}))
    await sealAudit(started.services.db)
    await tamper(started, `update audit_entry set actor_id = 'other' where seq = 3`)
    const last = await verifyAll(started, admin)
    expect(last).toMatchObject({ state: 'broken', broken: { seq: 3, why: 'changed' } })
    const head = await started.call(api.exportRecordHead, {}, { token: admin.token })
    expect(head.problem.code).toBe('not_found')
  })

  test('if truncated and extended again, is detected by the last verification’s hash', async () => {
    const started = await startApi()
    const admin = await aSignedInMember(started, { is_write_access_admin: true })
    await verifyAll(started, admin)
    await tamper(started, `delete from audit_entry where seq = (select max(seq) from audit_entry)`)
    await recordAudit(started.services.db, entry({}))
    expect(await verifyAll(started, admin)).toMatchObject({ state: 'broken', broken: { why: 'cut' } })
  })

  test('exports its head with a signature that anyone can check', async () => {
    const started = await startApi()
    const admin = await aSignedInMember(started, { is_write_access_admin: true })
    const last = await verifyAll(started, admin)
    const { body } = await started.call(api.exportRecordHead, {}, { token: admin.token })
    expect(JSON.parse(body.document)).toEqual({
      kind: 'audit-log-head',
      site: started.services.config.publicUrl.origin,
      verifiedAt: last.finishedAt,
      entries: last.checked,
      head: last.head,
    })
    const { body: known } = await started.call(api.listSigningKeys, {})
    const { pem } = known.find(({ keyId }) => keyId === body.keyId)!
    const isSigned = (text: string) =>
      verify(null, Buffer.from(text), createPublicKey(pem), Buffer.from(body.signature, 'base64'))
    expect(isSigned(body.document)).toBe(true)
    expect(isSigned(body.document.replace('audit', 'Audit'))).toBe(false)
  })
})

test('sale entries show the settings before and after', async () => {
  const started = await startApi()
  const seller = await aSignedInMember(started, { manage_coins: 2 })
  const admin = await aSignedInMember(started, { is_write_access_admin: true, manage_coins: 1 })
  const set = (rate: string) => {
    const settings = saleSettings()
    const payMethods = settings.payMethods.map((method, at) => (at === 0 ? { ...method, rate } : method))
    return started.call(
      api.updateSaleSettings,
      { body: { ...settings, payMethods } },
      { token: seller.token },
    )
  }
  await aSale(started) // Creates its own version, stored with the first change.
  for (const rate of ['110000', '125000.5']) await set(rate)
  const found = await read(started, admin, { action: 'sale-updated' })
  const said = found.map(({ changes }) => changes.map(({ path, from, to }) => `${path} ${from} ${to}`))
  expect(said).toEqual([['BTC.rate 110000 125000.5'], ['BTC.rate 120000 110000']])
})

import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, saleSettings } from '#tests/builders.ts'
import { aRound, forgetSale } from '#tests/rounds.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { isGuest } from './rounds.queries.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const [keeper, colleague] = [
  await aSignedInMember(started, { manage_coins: 2, display_name: 'Keeper' }),
  await aSignedInMember(started, { manage_coins: 2 }),
]
const round = aRound({ id: 'guests', admission: 'listed' })

const change = (body: { add?: string[]; remove?: string[] }, by = keeper, id = round.id) =>
  call(api.changeRoundGuests, { params: { id }, body: { add: [], remove: [], ...body } }, as(by))
type Query = Parameters<typeof call<typeof api.listRoundGuests>>[1]['query']
const emails = async (query: Query = {}) =>
  (await call(api.listRoundGuests, { query: { sort: 'added', ...query } }, as(keeper))).body.map(
    ({ email }) => email,
  )
const actions = () =>
  db
    .selectFrom('audit_entry')
    .select(['action', 'subject_kind', 'detail'])
    .where('action', '=', 'sale-guests-changed')
    .orderBy('id', 'desc')
    .execute()

beforeEach(async () => {
  await forgetSale(started)
  await call(api.updateSaleSettings, { body: { ...saleSettings(), rounds: [round] } }, as(keeper))
})

test('adds and removes addresses, whose case does not matter, and repeats nothing', async () => {
  expect(
    (await change({ add: ['Ann@People.example', 'bob@people.example', 'ann@people.example'] })).body,
  ).toEqual({
    added: 2,
    removed: 0,
  })
  expect((await change({ add: ['ann@people.example'] }, colleague)).body).toEqual({ added: 0, removed: 0 })
  expect((await emails()).toSorted()).toEqual(['ann@people.example', 'bob@people.example'])
  const remove = ['BOB@people.example', 'none@people.example']
  expect((await change({ add: ['cat@people.example'], remove })).body).toEqual({ added: 1, removed: 1 })
  const { body } = await call(api.listRoundGuests, {}, as(keeper))
  expect(body[0]).toMatchObject({
    roundId: round.id,
    email: 'cat@people.example',
    addedBy: { id: keeper.id, name: 'Keeper' },
  })
})

test('lists by round and by the beginning of an address', async () => {
  await change({ add: ['ann@people.example', 'a_b@people.example'] })
  expect(await emails({ round: round.id, q: 'ANN' })).toEqual(['ann@people.example'])
  expect(await emails({ q: 'a_' })).toEqual(['a_b@people.example'])
  expect(await emails({ round: 'other' })).toEqual([])
})

test('exports the list as CSV with step-up authentication', async () => {
  await change({ add: ['ann@people.example'] })
  const text = String((await call(api.exportRoundGuests, { query: { round: round.id } }, as(keeper))).body)
  expect(text).toContain('round,email,added,addedBy')
  expect(text).toMatch(/guests,ann@people\.example,.+,Keeper/)
  await letProofAge(started, keeper)
  const refused = [
    await call(api.exportRoundGuests, {}, as(keeper)),
    await change({ add: ['bob@people.example'] }),
  ]
  expect(refused.map(({ problem }) => problem.code)).toEqual(['step_up_required', 'step_up_required'])
  await call(api.stepUp, { body: { password: keeper.password } }, as(keeper))
})

test('refuses an unknown round, an address that is none, and more than 500 at once', async () => {
  expect((await change({ add: ['ann@people.example'] }, keeper, 'none')).status).toBe(404)
  expect((await change({ add: ['ann'] })).problem.errors).toMatchObject([{ path: 'add.0', code: 'email' }])
  const many = Array.from({ length: 501 }, (_, index) => `${index}@people.example`)
  expect((await change({ add: many })).problem.errors).toMatchObject([{ path: 'add', code: 'too_many' }])
  expect((await change({ add: many.slice(1) })).body.added).toBe(500)
})

test('the audit log has the numbers without addresses, and nothing if nothing changes', async () => {
  const before = (await actions()).length
  await change({ add: ['ann@people.example'] })
  await change({ add: ['ann@people.example'] })
  const entries = await actions()
  expect(entries).toHaveLength(before + 1)
  expect(entries[0]).toMatchObject({ subject_kind: 'sale', detail: { added: 1, removed: 0 } })
})

test('a verified address on the list admits its member, also after it was changed', async () => {
  const member = await aSignedInMember(started)
  await change({ add: [member.email] })
  expect(await isGuest(db, round.id, member.id)).toBe(true)
  await db.updateTable('member').set({ address_proved_at: null }).where('id', '=', member.id).execute()
  expect(await isGuest(db, round.id, member.id)).toBe(false)
  const other = { email: `other-${member.email}`, address_proved_at: new Date() }
  await db.updateTable('member').set(other).where('id', '=', member.id).execute()
  expect(await isGuest(db, round.id, member.id)).toBe(false)
})

test('the data export names the rounds, and erasure removes the address', async () => {
  const member = await aSignedInMember(started)
  await change({ add: [member.email, 'ann@people.example'] })
  const exported = async () => (await call(api.exportMember, {}, as(member))).body['saleRounds']
  expect(await exported()).toEqual([{ round: round.name, addedAt: expect.any(String) }])
  await db.updateTable('member').set({ address_proved_at: null }).where('id', '=', member.id).execute()
  expect(await exported()).toEqual([])
  await db.updateTable('member').set({ address_proved_at: new Date() }).where('id', '=', member.id).execute()
  expect((await call(api.eraseMember, { body: { current: member.password } }, as(member))).status).toBe(200)
  expect(await emails()).toEqual(['ann@people.example'])
})

test('20 changes of one list at once all take effect', async () => {
  const shared = Array.from({ length: 20 }, (_, index) => `shared${index}@people.example`)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      change(
        {
          add: [...(index % 2 ? shared : shared.toReversed()), `own${index}@people.example`],
          remove: [`own${index - 1}@people.example`],
        },
        index % 2 ? keeper : colleague,
      ),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const sum = answers.reduce((total, { body }) => total + body.added - body.removed, 0)
  expect(await db.selectFrom('sale_round_guest').select('id').execute()).toHaveLength(sum)
})

import { afterAll, expect, test } from 'vitest'
import { addImpersonator, addOfficialEntry, type EntryInput } from '#contract/publishing/console-official.ts'
import { checkOfficial } from '#contract/publishing/official.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { as } from '#tests/step-up.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({ PUBLIC_URL: 'https://coin.example' }, afterAll)
const { call } = started
const editor = as(await aSignedInMember(started, { manage_news: 2 }))
const keeper = as(await aSignedInMember(started, { manage_coins: 2 }))

const ask = async (text: string) => (await call(checkOfficial, { body: { text } })).body
const aFalse = (value: string, more: Partial<EntryInput> = {}) =>
  call(addImpersonator, { body: { kind: 'domain', value, note: 'Pretends an airdrop.', ...more } }, editor)
const anOfficial = (value: string, more: Partial<EntryInput> = {}) =>
  call(addOfficialEntry, { body: { kind: 'domain', value, note: 'Status page', ...more } }, keeper)
const problemsOf = ({ problem }: { problem: { errors?: { code: string }[] } }) =>
  problem.errors?.map(({ code }) => code)

test('lists nothing below our channels as an impersonation, nor as ours with one below it', async () => {
  for (const [kind, value] of [
    ['link', 'https://coin.example/kyc'],
    ['link', 'https://coin.example/apps?id=1'],
    ['link', 'https://coin.example'],
    ['domain', 'app.coin.example'],
  ] as const)
    expect([value, problemsOf(await aFalse(value, { kind }))]).toEqual([value, ['listed_otherwise']])
  expect((await ask('https://coin.example/kyc')).verdict).toBe('official')
  expect((await aFalse('https://below.example/airdrop', { kind: 'link' })).status).toBe(201)
  expect((await aFalse('app.above.example')).status).toBe(201)
  for (const value of ['below.example', 'above.example'])
    expect([value, problemsOf(await anOfficial(value))]).toEqual([value, ['listed_otherwise']])
  // A sibling page belongs to someone else.
  expect((await anOfficial('https://below.example/ours', { kind: 'link' })).status).toBe(201)
  expect((await ask('https://below.example/ours')).verdict).toBe('official')
})

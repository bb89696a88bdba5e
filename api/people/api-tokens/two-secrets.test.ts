import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aToken, by } from '#tests/api-tokens.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi, type CallOptions } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { db } = started.services

test('distinguishes the use of two valid secrets, in the list and in the audit log', async () => {
  const maker = await aSignedInMember(started, { manage_employee: 2 })
  const { secret, id } = await aToken(started, maker.id, { levels: { employee: 2 } })
  const read = (options: CallOptions) => started.call(api.listMembers, {}, options)
  await read(by(secret))
  const rotated = await started.call(
    api.rotateApiToken,
    { params: { id }, body: { overlapHours: 24 } },
    { token: maker.token },
  )
  const shown = async () =>
    (await started.call(api.listApiTokens, {}, { token: maker.token })).body.find((each) => each.id === id)!
  // No one has used the new one.
  const before = await shown()
  expect(before).toMatchObject({ end: rotated.body.secret.slice(-4), lastUsed: null })
  expect(before.formerUsedAt).not.toBeNull()
  await db
    .updateTable('api_token')
    .set({ previous_used_at: sql`previous_used_at - interval '1 hour'` })
    .where('id', '=', id)
    .execute()
  await read(by(secret))
  const old = await shown()
  expect(old.lastUsed).toBeNull()
  expect(Date.parse(old.formerUsedAt!)).toBeGreaterThanOrEqual(Date.parse(before.formerUsedAt!))
  await read(by(rotated.body.secret))
  expect(await shown()).toMatchObject({
    lastUsed: { place: '198.51.100.0/24' },
    formerUsedAt: old.formerUsedAt,
  })
  const entries = await db
    .selectFrom('audit_entry')
    .select('detail')
    .where('actor_id', '=', maker.id)
    .where('action', '=', 'member-listed')
    .orderBy('id')
    .execute()
  const [formerEnd, end] = [secret.slice(-4), rotated.body.secret.slice(-4)]
  expect(entries.map(({ detail }) => (detail as { tokenEnd: string }).tokenEnd)).toEqual([
    formerEnd,
    formerEnd,
    end,
  ])
})

import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi, type Answered, type TestApi } from '#tests/setup/start-api.ts'

const update = (by: TestMember, body: Record<string, unknown>, on: TestApi) =>
  on.call(api.updateMember, { body }, { token: by.token })

test("the last administrator can't lose the right, be closed, or delete the account", async () => {
  const alone = await startApi()
  const last = await aSignedInMember(alone, { is_write_access_admin: true })
  await aSignedInMember(alone, { is_write_access_admin: true, active: false }).catch(() => {})
  const body = { id: last.id }
  expect((await update(last, { ...body, isWriteAccessAdmin: false }, alone)).problem.code).toBe('last_admin')
  expect((await update(last, { ...body, active: false }, alone)).problem.code).toBe('last_admin')
  const leave = await alone.call(api.eraseMember, { body: { current: last.password } }, { token: last.token })
  expect(leave.problem.code).toBe('last_admin')
  expect((await update(last, { ...body, manageNews: 1, isWriteAccessAdmin: true }, alone)).status).toBe(200)
})

test("an administrator remains if two withdraw each other's right, or leave, at the same time", async () => {
  const pair = await startApi()
  for (let round = 0; round < 5; round += 1) {
    await pair.services.db.updateTable('member').set({ is_write_access_admin: false }).execute()
    const [a, b] = [
      await aSignedInMember(pair, { is_write_access_admin: true }),
      await aSignedInMember(pair, { is_write_access_admin: true }),
    ]
    const drop = (by: TestMember, id: string) => update(by, { id, isWriteAccessAdmin: false }, pair)
    const leave = (by: TestMember) =>
      pair.call(api.eraseMember, { body: { current: by.password } }, { token: by.token })
    const answers = await Promise.all<Answered<unknown>>(
      round % 2 === 0 ? [drop(a, b.id), drop(b, a.id)] : [leave(a), leave(b)],
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status >= 500)).toHaveLength(0)
    const admins = await pair.services.db
      .selectFrom('member')
      .select('id')
      .where('is_write_access_admin', '=', true)
      .where('active', '=', true)
      .execute()
    expect(admins).toHaveLength(1)
  }
})

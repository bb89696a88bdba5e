import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aMember, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

test('staff choose that signing in opens the console, and undo it', async () => {
  const started = await startApi()
  const { db } = started.services
  const officer = await aMember(started, { rights: { manage_finance: 1 } })
  await db
    .updateTable('member')
    .set({ password_length_ok_for_staff: true })
    .where('id', '=', officer.id)
    .execute()
  const signIn = () =>
    started.call(api.signIn, { body: { email: officer.email, password: officer.password } })
  const first = await signIn()
  expect(first.body.opensConsole).toBe(false)
  const choose = (opensConsole: boolean) =>
    started.call(api.setConsoleStart, { body: { opensConsole } }, { token: first.body.token })
  const updatedAt = async () =>
    (
      await db
        .selectFrom('member')
        .select('updated_at')
        .where('id', '=', officer.id)
        .executeTakeFirstOrThrow()
    ).updated_at
  const before = await updatedAt()

  expect((await choose(true)).body).toEqual({ opensConsole: true })
  expect((await signIn()).body.opensConsole).toBe(true)
  // An open profile form is not outdated by it.
  expect(await updatedAt()).toEqual(before)

  // Without permissions there is no console to open.
  await db.updateTable('member').set({ manage_finance: 0 }).where('id', '=', officer.id).execute()
  expect((await signIn()).body.opensConsole).toBe(false)
  await db.updateTable('member').set({ manage_finance: 1 }).where('id', '=', officer.id).execute()

  await choose(false)
  expect((await signIn()).body.opensConsole).toBe(false)
})

test('members can’t choose it', async () => {
  const started = await startApi()
  const member = await aSignedInMember(started)
  const answer = await started.call(
    api.setConsoleStart,
    { body: { opensConsole: true } },
    { token: member.token },
  )
  expect(answer.problem.code).toBe('forbidden')
  const row = await started.services.db
    .selectFrom('member')
    .select('opens_console')
    .where('id', '=', member.id)
    .executeTakeFirst()
  expect(row).toEqual({ opens_console: false })
})

import { expect, test } from 'vitest'
import { aSignedInMember } from '#tests/builders.ts'
import { lastRow, notify, startPost } from '#tests/setup/post.ts'

test("a permanent refusal by the recipient's server is not retried, and the text is kept", async () => {
  const post = await startPost()
  const { email } = await aSignedInMember(post)
  post.server.refuseWith = () => 550
  await notify(post, email)
  await post.deliver()
  const row = await lastRow(post, email)
  expect(row).toMatchObject({ state: 'failed', attempts: 1, last_error: '550' })
  expect(row.sealed_message).not.toBeNull()
})

test('a daily limit fails no email: it is sent once the limit is over', async () => {
  const post = await startPost()
  const { email } = await aSignedInMember(post)
  post.server.refuseWith = () => '550 5.4.5'
  await notify(post, email)
  await post.deliver()
  expect(await lastRow(post, email)).toMatchObject({ state: 'waiting', last_error: '550' })
  post.server.refuseWith = () => undefined
  await post.deliver()
  expect((await lastRow(post, email)).state).toBe('sent')
})

test("a problem on the operator's side fails no email, however long it takes", async () => {
  const post = await startPost()
  const { email } = await aSignedInMember(post)
  await post.deliver()
  post.server.refuseSignIn = true
  await notify(post, email)
  await post.services.db.updateTable('mail').set({ attempts: 40 }).where('state', '=', 'waiting').execute()
  await post.deliver()
  const row = await lastRow(post, email)
  expect(row).toMatchObject({ state: 'waiting', last_error: '530' })
  expect(row.next_try_at.getTime()).toBeLessThan(Date.now() + 61 * 60_000)
  post.server.refuseSignIn = false
  await post.deliver()
  expect((await lastRow(post, email)).state).toBe('sent')
})

import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started

test('emails the acting administrator and the member about a new administrator, and logs it', async () => {
  const promoter = await aSignedInMember(started, { is_write_access_admin: true })
  const member = await aSignedInMember(started)
  const upgrade = () =>
    call(api.updateMember, { body: { id: member.id, isWriteAccessAdmin: true } }, { token: promoter.token })
  expect((await upgrade()).status).toBe(200)
  // A repetition changes nothing.
  expect((await upgrade()).status).toBe(200)
  const notices = await mailsTo(promoter.email)
  expect(notices).toMatchObject([{ kind: 'administrator-made', text: expect.stringContaining(member.email) }])
  expect((await mailsTo(member.email)).map(({ kind }) => kind)).toEqual(['rights-changed'])
  const { detail } = await services.db
    .selectFrom('audit_entry')
    .select('detail')
    .where('subject_id', '=', member.id)
    .where('actor_id', '=', promoter.id)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  expect(detail).toEqual({
    fields: ['isWriteAccessAdmin'],
    changes: ['isWriteAccessAdmin false → true'],
  })
})

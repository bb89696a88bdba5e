import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { invitationsAtWork } from '#tests/invitations-at-work.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { recordIdentityWithdrawn } from './record-invitation.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const { anInviter, ask, invited, totals, approveIdentity } = await invitationsAtWork(started)

test('a correction of a past week appears when the current week is over', async () => {
  const { id, code, member } = await anInviter()
  const guest = await invited(code)
  await approveIdentity(guest.id)
  const read = async () => (await call(api.getAmbassadorResults, {}, { token: member.token })).body
  const age = async () => {
    for (const column of ['signed_up_in', 'activated_in', 'identified_in'])
      await sql`update invited_member set ${sql.ref(column)} = ${sql.ref(column)} - 7 where ambassador_id = ${id}`.execute(
        db,
      )
    await sql`update invitation_week set week = week - 7 where ambassador_id = ${id}`.execute(db)
    await sql`update invitation_correction set week = week - 7, made_in = made_in - 7 where ambassador_id = ${id}`.execute(
      db,
    )
    await sql`update ambassador_point set week = week - 7 where ambassador_id = ${id}`.execute(db)
    await sql`update ambassador set created_at = created_at - interval '7 days' where id = ${id}`.execute(db)
  }
  await age()
  const before = await read()
  expect([before.totals.identities, before.weeks.at(-1)!.identities]).toEqual([1, 1])
  await recordIdentityWithdrawn(db, guest.id)
  expect(await read()).toEqual(before)
  // Reviewers see it at once.
  expect(await totals(id)).toEqual([1, 1, 0, 1])
  await age()
  const after = await read()
  expect(after.totals).toEqual({ signUps: 1, activations: 1, identities: 0 })
  expect(after.weeks.map(({ identities }) => identities)).toEqual(after.weeks.map(() => 0))
  await approveIdentity(guest.id)
  await recordIdentityWithdrawn(db, guest.id)
  expect(await read()).toEqual(after)
})

test('reverses a sign-up whose address is deleted unconfirmed or taken by someone else', async () => {
  const { id, code } = await anInviter()
  const [forgotten, taken] = [anEmail(), anEmail()]
  await ask(forgotten, code)
  await ask(taken, code)
  expect(await totals(id)).toEqual([2, 0, 0, 0])
  await sql`update member set created_at = created_at - interval '31 days' where email = ${forgotten}`.execute(
    db,
  )
  await sql`update sign_up set created_at = created_at - interval '31 days' where member_id in
    (select member.id from member where email = ${forgotten})`.execute(db)
  await cleanUp(services)
  expect(await totals(id)).toEqual([1, 0, 0, 0])
  const other = await aSignedInMember(started)
  await call(api.updateMember, { body: { id: other.id, email: taken } }, { token: other.token })
  const text = (await started.mailsTo(taken)).at(-1)!.text
  const [, confirmation] = /\n([A-Za-z0-9-]{8,})\n/.exec(text)!
  const confirmed = await call(api.confirmEmail, { body: { code: confirmation! } }, { token: other.token })
  expect(confirmed.status).toBe(200)
  expect(await totals(id)).toEqual([0, 0, 0, 0])
})

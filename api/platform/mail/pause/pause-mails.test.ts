import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anAdmin, anEmail, aSignedInMember, signUp } from '#tests/builders.ts'
import { withMailServer } from '#tests/mails.ts'
import type { TestApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'

const stateOf = async ({ services: { db } }: TestApi, to: string) =>
  (await db.selectFrom('mail').select('state').where('to_address', '=', to).executeTakeFirstOrThrow()).state

test('a pause stops all instances at once and loses nothing; on resuming, expired codes aren’t sent', async () => {
  const { server, started, startWorker } = await withMailServer()
  const admin = await anAdmin(started)
  const set = (paused: boolean) => started.call(api.setMailDelivery, { body: { paused } }, as(admin))
  const instances = [startWorker(), startWorker()]
  const wake = () => instances.forEach((instance) => instance.wake())
  await expect.poll(() => stateOf(started, admin.email)).toBe('sent')
  const { pausedAt } = (await set(true)).body
  expect(pausedAt).not.toBeNull()
  expect((await set(true)).body).toEqual({ pausedAt })
  const before = server.received.length
  const [current, expired] = [anEmail(), anEmail()]
  for (const email of [current, expired]) await signUp(started, email)
  await sql`update mail set created_at = now() - interval '2 days' where to_address = ${expired}`.execute(
    started.services.db,
  )
  wake()
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(server.received).toHaveLength(before)
  expect(await stateOf(started, current)).toBe('waiting')
  expect((await started.call(api.readMailFigures, {}, as(admin))).body).toMatchObject({
    pausedAt,
    waiting: { count: 2 },
  })
  expect((await started.call(api.sendTestMail, { body: null }, as(admin))).body.outcome).toBe('waiting')

  expect((await set(false)).body).toEqual({ pausedAt: null })
  wake()
  await expect.poll(() => stateOf(started, current)).toBe('sent')
  await expect.poll(() => stateOf(started, expired)).toBe('failed')
  const audit = started.services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id'])
    .where('action', 'like', 'mails-%')
    .orderBy('id')
  expect(await audit.execute()).toEqual([
    { action: 'mails-paused', actor_id: admin.id },
    { action: 'mails-resumed', actor_id: admin.id },
  ])
})

test('pausing requires an administrator and a fresh proof; resuming requires only the administrator', async () => {
  const { started } = await withMailServer()
  const admin = await anAdmin(started)
  const other = await aSignedInMember(started, { manage_employee: 2 })
  const set = (paused: boolean, member = admin) =>
    started.call(api.setMailDelivery, { body: { paused } }, as(member))
  expect((await set(true, other)).problem.code).toBe('forbidden')
  await letProofAge(started)
  expect((await set(true)).problem.code).toBe('step_up_required')
  expect((await set(false)).status).toBe(200)
})

test('the health page shows a pause at once, warns after an hour, and blames no mail server', async () => {
  const { started } = await withMailServer()
  const admin = await anAdmin(started)
  const health = async () => {
    const { checks } = (await started.call(api.readHealth, {}, as(admin))).body
    return checks.find(({ name }) => name === 'mail')!
  }
  await signUp(started, anEmail())
  await sql`update mail set created_at = now() - interval '2 hours'`.execute(started.services.db)
  expect((await health()).problems).toContain('mail_waiting')
  await started.call(api.setMailDelivery, { body: { paused: true } }, as(admin))
  const shown = await health()
  expect(shown.problems).toEqual([])
  expect(shown.facts.map(({ name }) => name)).toContain('deliveryPausedAt')
  await sql`update mail_pause set paused_at = now() - interval '61 minutes'`.execute(started.services.db)
  expect((await health()).problems).toEqual(['mail_paused'])
})

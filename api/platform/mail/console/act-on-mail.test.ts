import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { anEmail, aSignedInMember, goodPassword, type TestMember } from '#tests/builders.ts'
import { aMailTo, latestMailTo, setMail, withMailServer } from '#tests/mails.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { claimDueMail } from '../mail.queries.ts'

const withoutFinance = { manage_employee: 2 }

const auditOf = ({ services: { db } }: TestApi, id: string) =>
  db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id', 'detail'])
    .where('subject_id', '=', id)
    .where('action', '!=', 'mail-viewed')
    .orderBy('id')
    .execute()

describe('sending again', () => {
  const again = (started: TestApi, staff: TestMember, id: string) =>
    started.call(api.sendMailAgain, { body: { id } }, as(staff))

  test('a failed email arrives once, and the log names who resent it', async () => {
    const { server, started, startWorker } = await withMailServer()
    const staff = await aSignedInMember(started, withoutFinance)
    const { email } = await aSignedInMember(started)
    const id = await aMailTo(started, email, 'rights-changed')
    await setMail(started, id, { attempts: 11 })
    server.refuseWith = () => 550
    const worker = startWorker()
    const open = async () => (await started.call(api.getMail, { params: { id } }, as(staff))).body
    await expect.poll(async () => (await open()).state).toBe('failed')
    expect(await open()).toMatchObject({
      trouble: 'mailbox_unknown',
      againObstacle: null,
      stopObstacle: 'conflict',
      tries: [{ trouble: 'mailbox_unknown', step: 'RCPT TO' }],
    })

    server.refuseWith = () => undefined
    const answers = await Promise.all(Array.from({ length: 10 }, () => again(started, staff, id)))
    worker.wake()
    await expect.poll(async () => (await open()).state).toBe('sent')
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(server.received).toHaveLength(1)
    const { tries, actions } = await open()
    expect(tries).toHaveLength(2)
    expect(tries[1]).toMatchObject({ trouble: null, endedAt: expect.any(String) })
    expect(actions[0]).toMatchObject({ what: 'sent_again', by: staff.email })
    expect((await auditOf(started, id))[0]).toMatchObject({
      action: 'mail-sent-again',
      actor_id: staff.id,
      detail: { kind: 'rights-changed', from: 'failed' },
    })
    expect((await again(started, staff, id)).problem.code).toBe('mail_delivered')
  })

  test('an email that a worker is sending is neither resent nor stopped', async () => {
    const started = await startApi()
    const staff = await aSignedInMember(started, withoutFinance)
    const { email } = await aSignedInMember(started)
    const id = await aMailTo(started, email, 'rights-changed')
    await claimDueMail(started.services.db, MINUTE, 'coin.example')
    const open = await started.call(api.getMail, { params: { id } }, as(staff))
    expect(open.body).toMatchObject({ state: 'sending', againObstacle: 'mail_in_hand', nextTryAt: null })
    expect((await again(started, staff, id)).problem.code).toBe('mail_in_hand')
    expect((await started.call(api.stopMail, { body: { id } }, as(staff))).problem.code).toBe('mail_in_hand')
    // The worker died, and its lease expired.
    await setMail(started, id, { claimed_until: sql`now()`, next_try_at: sql`now()` })
    expect((await again(started, staff, id)).status).toBe(200)
    expect((await started.call(api.getMail, { params: { id } }, as(staff))).body.tries).toMatchObject([
      { trouble: 'interrupted' },
    ])
  })

  test('with many resends and several workers each email arrives once', async () => {
    const { server, started, startWorker } = await withMailServer()
    const staff = await aSignedInMember(started, withoutFinance)
    const { email } = await aSignedInMember(started)
    const ids: string[] = []
    for (let n = 0; n < 8; n += 1) {
      const id = await aMailTo(started, email, 'rights-changed')
      await setMail(started, id, { state: n % 2 ? 'failed' : 'stopped' })
      ids.push(id)
    }
    const workers = [startWorker(), startWorker()]
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(ids.map((id) => again(started, staff, id)))
      for (const worker of workers) worker.wake()
    }
    const sent = () =>
      started.services.db.selectFrom('mail').select('id').where('state', '=', 'sent').execute()
    await expect.poll(async () => (await sent()).length).toBe(ids.length)
    expect(server.received).toHaveLength(ids.length)
  })

  test('attempts of a restarted round are counted from its start', async () => {
    const { server, started, startWorker } = await withMailServer()
    const staff = await aSignedInMember(started, withoutFinance)
    const id = await aMailTo(started, (await aSignedInMember(started)).email, 'rights-changed')
    await setMail(started, id, { state: 'failed', attempts: 12 })
    server.refuseWith = () => 421
    await again(started, staff, id)
    startWorker()
    const open = async () => (await started.call(api.getMail, { params: { id } }, as(staff))).body
    await expect.poll(async () => (await open()).state).toBe('retrying')
    expect(await open()).toMatchObject({ attempts: 13, trouble: 'try_later' })
  })

  test('refuses an expired code, an erased text, and a changed address', async () => {
    const started = await startApi()
    const staff = await aSignedInMember(started, withoutFinance)
    const code = async (id: string) => (await again(started, staff, id)).problem.code

    const to = anEmail()
    await started.call(api.createMember, { body: { email: to, password: goodPassword } })
    const activation = await latestMailTo(started, to)
    await setMail(started, activation, { state: 'failed', created_at: sql`now() - interval '25 hours'` })
    expect(await code(activation)).toBe('mail_expired')

    const member = await aSignedInMember(started)
    const id = await aMailTo(started, member.email, 'rights-changed')
    await setMail(started, id, { state: 'failed', sealed_message: null })
    expect(await code(id)).toBe('mail_text_gone')

    const moved = await aMailTo(started, member.email, 'rights-changed')
    await setMail(started, moved, { state: 'failed' })
    await started.services.db
      .updateTable('member')
      .set({ email: anEmail() })
      .where('id', '=', member.id)
      .execute()
    expect(await code(moved)).toBe('mail_address_changed')
    // Not if the address now belongs to someone else either.
    const next = await aSignedInMember(started)
    await started.services.db
      .updateTable('member')
      .set({ email: member.email })
      .where('id', '=', next.id)
      .execute()
    expect(await code(moved)).toBe('mail_address_changed')
    expect(await code(randomUUID())).toBe('not_found')
  })
})

describe('stopping', () => {
  test('requires a fresh proof, is logged, and keeps the email unsent until it is resent', async () => {
    const { server, started, startWorker } = await withMailServer()
    const staff = await aSignedInMember(started, withoutFinance)
    const id = await aMailTo(started, (await aSignedInMember(started)).email, 'rights-changed')
    const stop = () => started.call(api.stopMail, { body: { id } }, as(staff))
    await letProofAge(started)
    expect((await stop()).problem.code).toBe('step_up_required')
    await started.services.db
      .updateTable('session')
      .set({ proved_at: sql<Date>`now()` })
      .execute()
    expect((await stop()).body.state).toBe('stopped')
    expect((await stop()).problem.code).toBe('conflict')
    const worker = startWorker()
    const other = await aMailTo(started, anEmail(), 'rights-changed')
    worker.wake()
    await expect
      .poll(async () => (await started.call(api.getMail, { params: { id: other } }, as(staff))).body.state)
      .toBe('sent')
    expect(server.received).toHaveLength(1)
    expect(await auditOf(started, id)).toMatchObject([{ action: 'mail-stopped', actor_id: staff.id }])

    await started.call(api.sendMailAgain, { body: { id } }, as(staff))
    worker.wake()
    await expect.poll(() => server.received.length).toBe(2)
  })
})

describe('a test email', () => {
  test("reports the mail server's answer", async () => {
    const { server, started } = await withMailServer()
    const staff = await aSignedInMember(started, withoutFinance)
    const send = () => started.call(api.sendTestMail, { body: null }, as(staff))
    const { body } = await send()
    expect(body).toMatchObject({ outcome: 'sent', to: staff.email, trouble: null })
    expect(server.received.map(({ recipients }) => recipients)).toEqual([[staff.email]])
    server.refuseWith = () => 550
    const refused = await send()
    expect(refused.body).toMatchObject({ outcome: 'failed', trouble: 'mailbox_unknown', step: 'RCPT TO' })
    const kept = await started.call(api.getMail, { params: { id: refused.body.id } }, as(staff))
    expect(kept.body).toMatchObject({ state: 'failed', kind: 'test', attempts: 1 })
    await server.close()
    expect((await send()).body).toMatchObject({
      outcome: 'failed',
      trouble: 'connection_refused',
      code: 'ECONNREFUSED',
    })
    for (let n = 0; n < 2; n += 1) await send()
    const last = await send()
    expect(last.problem.code).toBe('rate_limited')
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('waits in the outbox if no mail server is configured', async () => {
    const started = await startApi()
    const staff = await aSignedInMember(started, withoutFinance)
    const { body } = await started.call(api.sendTestMail, { body: null }, as(staff))
    expect(body).toMatchObject({ outcome: 'waiting', to: staff.email })
    expect((await started.mailsTo(staff.email)).map(({ kind }) => kind)).toEqual(['test'])
  })
})

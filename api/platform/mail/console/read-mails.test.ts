import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aSignedInMember, goodPassword } from '#tests/builders.ts'
import { aMailTo, setMail } from '#tests/mails.ts'
import { titleOf } from './present-mail.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'
import { fill } from '../../text/fill.ts'
import { subjectOf } from '../render-mail.ts'
import { sendMail } from '../send-mail.ts'
import { storeAntiPhishingPhrase } from '../anti-phishing-phrase.queries.ts'

const withoutFinance = { manage_employee: 2 }

describe('visibility of emails', () => {
  test.each([
    [{ manage_employee: 1 }, ['rights-changed'], false],
    [{ manage_employee: 2 }, ['rights-changed'], true],
    [{ manage_employee: 1, manage_finance: 1 }, ['kyc-approved', 'rights-changed'], false],
    [{ manage_employee: 2, manage_finance: 2 }, ['kyc-approved', 'rights-changed'], true],
    [{ is_write_access_admin: true }, ['kyc-approved', 'rights-changed'], true],
  ])('%o', async (rights, kinds, mayRead) => {
    const started = await startApi()
    const staff = await aSignedInMember(started, rights)
    const reader = await aSignedInMember(started)
    const ids = [
      await aMailTo(started, reader.email, 'kyc-approved'),
      await aMailTo(started, reader.email, 'rights-changed'),
    ]
    const listed = await started.call(api.listMails, {}, as(staff))
    expect(listed.body.map(({ kind }) => kind).toSorted()).toEqual(kinds)
    const { body: figures } = await started.call(api.readMailFigures, {}, as(staff))
    expect(figures.waiting).toEqual({ count: kinds.length, isMore: false })
    const opened = await Promise.all(
      ids.map((id) => started.call(api.getMail, { params: { id } }, as(staff))),
    )
    const found = opened.filter(({ status }) => status === 200)
    expect(found).toHaveLength(kinds.length)
    for (const { body } of found) {
      expect(body.memberId).toBe(reader.id)
      expect(body.mayAct).toBe(mayRead)
      expect(body.content === null).toBe(!mayRead)
      expect(body.headers.some(({ name }) => name === 'Subject')).toBe(mayRead)
    }
    expect(opened.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
      Array(2 - kinds.length).fill(404),
    )
  })

  test("a finance reader without write access sees no text of finance emails, and can't act on them", async () => {
    const started = await startApi()
    const staff = await aSignedInMember(started, { manage_employee: 2, manage_finance: 1 })
    const id = await aMailTo(started, (await aSignedInMember(started)).email, 'kyc-approved')
    expect((await started.call(api.getMail, { params: { id } }, as(staff))).body.content).toBeNull()
    for (const endpoint of [api.sendMailAgain, api.stopMail])
      expect((await started.call(endpoint, { body: { id } }, as(staff))).status).toBe(403)
  })

  test('emails of some days are listed in the order of their changes, page by page, even those changed much later', async () => {
    const started = await startApi()
    const staff = await aSignedInMember(started, { is_write_access_admin: true })
    const reader = await aSignedInMember(started)
    const changes = [
      '2026-03-02T00:00:30Z',
      '2026-03-01T10:00:01Z',
      '2026-03-07T10:00:00Z',
      '2026-03-01T13:00:00Z',
    ]
    const ids: string[] = []
    for (const changed of changes) {
      ids.push(await aMailTo(started, reader.email, 'rights-changed'))
      const written = changed.startsWith('2026-03-02') ? '2026-03-01T23:59:59Z' : '2026-03-01T10:00:00Z'
      await setMail(started, ids.at(-1)!, { created_at: new Date(written), changed_at: new Date(changed) })
    }
    const [soon, first, late, afternoon] = ids
    const read = async (sort: 'changed' | '-changed', limit: number) => {
      const found: string[] = []
      for (let after: string | undefined, page = 0; page < 9; page += 1) {
        const query = { from: '2026-03-01', to: '2026-03-01', sort, limit, ...(after && { after }) }
        const { body, headers } = await started.call(api.listMails, { query }, as(staff))
        found.push(...body.map(({ id }) => id))
        after =
          new URLSearchParams(/\?([^>]*)/.exec((headers['link'] as string | undefined) ?? '')?.[1]).get(
            'after',
          ) ?? undefined
        if (!after) break
      }
      return found
    }
    for (const limit of [1, 2, 3, 4, 25]) {
      expect(await read('changed', limit), `${limit}`).toEqual([first, afternoon, soon, late])
      expect(await read('-changed', limit), `${limit}`).toEqual([late, soon, afternoon, first])
    }
  })

  test('every access to the outbox is logged, with search text as a hash', async () => {
    const started = await startApi()
    const staff = await aSignedInMember(started, withoutFinance)
    const id = await aMailTo(started, anEmail(), 'rights-changed')
    await started.call(api.listMails, { query: { recipient: 'person', state: 'waiting' } }, as(staff))
    await started.call(api.getMail, { params: { id } }, as(staff))
    const entries = await started.services.db
      .selectFrom('audit_entry')
      .select(['action', 'subject_id', 'detail'])
      .where('subject_kind', '=', 'mail')
      .orderBy('id')
      .execute()
    expect(entries).toMatchObject(
      [
        { action: 'mail-listed', detail: { count: 1, state: 'waiting', recipient: /^hashed:/ } },
        { action: 'mail-viewed', subject_id: id },
      ].map((entry) => ({ ...entry, detail: expect.anything() })),
    )
    expect(JSON.stringify(entries)).not.toContain('person')
  })
})

describe('what staff can read of an email', () => {
  test("staff see an order's reference in the subject everywhere, in the reader's language", async () => {
    const started = await startApi()
    const { db, keys } = started.services
    const staff = await aSignedInMember(started, { is_write_access_admin: true })
    const member = await aSignedInMember(started)
    const link = 'https://coin.example/orders/1'
    const subject = fill(subjectOf('order-withdrawn', 'en'), { reference: 'K7Q2M9' })
    expect(subject).toContain('K7Q2M9')
    for (const language of ['en', 'cn'] as const)
      await sendMail(db, keys, { email: member.email, language }, 'order-withdrawn', {
        reference: 'K7Q2M9',
        link,
      })
    const query = { recipient: member.email }
    const listed = await started.call(api.listMails, { query }, as(staff))
    expect(listed.body.map(({ title }) => title)).toEqual(Array(2).fill(subject))
    for (const { id } of listed.body) {
      const { body } = await started.call(api.getMail, { params: { id } }, as(staff))
      expect(body.title).toBe(subject)
      expect(JSON.stringify(body)).not.toContain(link)
    }
    const timeline = await started.call(
      api.readMemberTimeline,
      { params: { id: member.id }, query: {} },
      as(staff),
    )
    const subjects = timeline.body.filter(({ kind }) => kind === 'mail').map(({ subject }) => subject)
    expect(subjects).toEqual(Array(2).fill(subject))
    const codes = titleOf('staff-webhook-added', 'en', { subject: 'another subject since', language: 'en' })
    expect(codes).toContain('••••••')
  })

  test('codes, links, and the anti-phishing phrase are masked for staff but not in the email', async () => {
    const started = await startApi()
    const { db, keys } = started.services
    const staff = await aSignedInMember(started, { is_write_access_admin: true })
    const member = await aSignedInMember(started)
    await storeAntiPhishingPhrase(db, keys, member.id, 'blue heron at noon')
    const to = anEmail()
    await started.call(api.createMember, { body: { email: to, password: goodPassword } })
    await started.call(api.requestPasswordReset, { body: { email: member.email } })
    await started.call(api.requestVerificationCode, { body: null }, as(member))
    for (const address of [to, member.email]) {
      const mails = await started.mailsTo(address)
      expect(mails.length).toBeGreaterThan(0)
      const rows = await db
        .selectFrom('mail')
        .select(['id', 'kind'])
        .where('to_address', '=', address)
        .execute()
      for (const { id, kind } of rows) {
        const { text } = mails.find((mail) => mail.kind === kind)!
        const secrets = [...text.matchAll(/https?:\/\/\S+|^(?=\S*\d)[A-Za-z\d-]+$|blue heron at noon/gm)].map(
          ([secret]) => secret,
        )
        expect(secrets.length).toBeGreaterThan(0)
        const answer = await started.call(api.getMail, { params: { id } }, as(staff))
        expect(answer.body.content).toMatchObject({ isTemplate: false })
        const shown = JSON.stringify(answer.body)
        for (const secret of secrets) expect(shown).not.toContain(secret)
        expect(answer.body.content!.text).toContain('••••••')
      }
    }
    const reset = (await started.mailsTo(member.email)).find(({ kind }) => kind === 'password-reset')!
    expect(reset.text).toContain('blue heron at noon')
  })

  test('after delivery only the template is left, and an email of an old release never shows more', async () => {
    const started = await startApi()
    const staff = await aSignedInMember(started, withoutFinance)
    const id = await aMailTo(started, anEmail(), 'rights-changed')
    await setMail(started, id, { state: 'sent', sealed_message: null, sent_at: new Date() })
    const sent = await started.call(api.getMail, { params: { id } }, as(staff))
    expect(sent.body).toMatchObject({
      state: 'sent',
      againObstacle: 'mail_delivered',
      content: { isTemplate: true },
    })

    const { keys, db } = started.services
    const old = randomUUID()
    const message = { subject: 's', text: 'the code 1234', html: '<p>the code 1234</p>' }
    await db
      .insertInto('mail')
      .values({
        id: old,
        to_address: anEmail(),
        kind: 'activation',
        sealed_message: keys.seal('mail', old, JSON.stringify(message)),
      })
      .execute()
    const answer = await started.call(api.getMail, { params: { id: old } }, as(staff))
    expect(answer.body.content).toMatchObject({ isTemplate: true })
    expect(JSON.stringify(answer.body)).not.toContain('1234')
  })

  test('every template is shown in both languages, without working links', async () => {
    const started = await startApi()
    const staff = await aSignedInMember(started, { manage_employee: 1 })
    const { body: templates } = await started.call(api.listMailTemplates, {}, as(staff))
    expect(templates.length).toBeGreaterThan(50)
    for (const { kind, title } of templates) {
      expect(title).not.toMatch(/\{\w+\}/)
      const { body } = await started.call(api.getMailTemplate, { params: { kind } }, as(staff))
      for (const { subject, text, html } of [body.en, body.cn]) {
        expect(subject + text + html).not.toMatch(/\{\w+\}|undefined|\[object/)
        expect(html).not.toMatch(/<a |href|src=|style=|<script/i)
      }
    }
  })
})

describe('the list', () => {
  test('filters by state, kind, recipient, and day, and sorts', async () => {
    const started = await startApi()
    const staff = await aSignedInMember(started, withoutFinance)
    const make = async (email: string, change: object) => {
      const id = await aMailTo(started, email, 'rights-changed')
      await setMail(started, id, change)
      return id
    }
    const at = (day: string) => new Date(`${day}T12:00:00Z`)
    const a = await make('a_b@example.org', { created_at: at('2036-05-01'), changed_at: at('2036-05-09') })
    const b = await make('axb@example.org', {
      created_at: at('2036-05-02'),
      changed_at: at('2036-05-08'),
      last_error: '550',
      attempts: 2,
    })
    const c = await make('c@example.org', {
      created_at: at('2036-05-03'),
      changed_at: at('2036-05-07'),
      state: 'failed',
      last_error: 'ECONNREFUSED',
    })
    const d = await make('d@example.org', {
      created_at: at('2036-05-04'),
      changed_at: at('2036-05-06'),
      state: 'sent',
    })
    const ids = async (query: object) =>
      (await started.call(api.listMails, { query }, as(staff))).body.map(({ id }) => id)
    expect(await ids({})).toEqual([d, c, b, a])
    expect(await ids({ sort: 'created' })).toEqual([a, b, c, d])
    expect(await ids({ sort: '-changed' })).toEqual([a, b, c, d])
    expect(await ids({ state: 'waiting' })).toEqual([a])
    expect(await ids({ state: 'retrying' })).toEqual([b])
    expect(await ids({ state: 'failed' })).toEqual([c])
    expect(await ids({ state: 'sent' })).toEqual([d])
    expect(await ids({ state: 'stopped' })).toEqual([])
    expect(await ids({ kind: 'rights-changed' })).toHaveLength(4)
    expect(await ids({ kind: 'kyc-approved' })).toEqual([])
    expect(await ids({ recipient: 'A_B' })).toEqual([a])
    expect(await ids({ recipient: '%' })).toEqual([])
    expect(await ids({ from: '2036-05-02', to: '2036-05-03' })).toEqual([c, b])
    expect((await started.call(api.listMails, { query: { from: '2036-02-30' } }, as(staff))).status).toBe(400)
    const { body, headers } = await started.call(api.listMails, { query: { limit: 3 } }, as(staff))
    expect(body.map(({ trouble, code }) => [trouble, code])).toEqual([
      [null, null],
      ['connection_refused', 'ECONNREFUSED'],
      ['mailbox_unknown', '550'],
    ])
    const after = /after=([^&>]+)/.exec(String(headers['link']))![1]!
    expect(await ids({ limit: 3, after: decodeURIComponent(after) })).toEqual([a])
  })

  test('exports CSV after a fresh proof, without formulas', async () => {
    const started = await startApi()
    const staff = await aSignedInMember(started, withoutFinance)
    await aMailTo(started, '=cmd@example.org', 'rights-changed')
    await aMailTo(started, anEmail(), 'kyc-approved')
    const { body } = await started.call(api.exportMails, {}, as(staff))
    const lines = String(body).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`'=cmd@example.org`)
    await letProofAge(started)
    expect((await started.call(api.exportMails, {}, as(staff))).problem.code).toBe('step_up_required')
  })
})

import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { finalRefusal, identityCases } from '#tests/setup/identity-cases.ts'
import { readCase, reviewPhoto } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const { db } = services
const cases = identityCases(started)
const { aCase, decide, update, lift, read, erase, remove, events } = cases
const [one, two, three, four] = [
  await cases.officer('Officer One'),
  await cases.officer('Officer Two'),
  await cases.officer('Officer Three'),
  await cases.officer('Officer Four'),
]

const aRefusal = async (fields: object = {}) => {
  const found = await aCase(fields)
  await decide(one, found.id, finalRefusal)
  expect((await decide(two, found.id, finalRefusal)).body.isFinal).toBe(true)
  return found
}
type Case = Awaited<ReturnType<typeof aCase>>
const approve = async (by: typeof one, id: string) => {
  await readCase(started, by, id)
  return decide(by, id, { status: 'approved' })
}
/** Returns a reviewed case that shares a document with a final rejection. */
const aSuspect = async () => {
  const refused = await aRefusal()
  const found = await aCase({ photoUrls: [refused.photo] })
  await readCase(started, three, found.id)
  return { ...found, refused }
}

describe('an approval of a case that shares data with a final rejection', () => {
  test.each([
    ['its document', (of: Case) => ({ photoUrls: [of.photo] })],
    ['its wallet', (of: Case) => ({ ethAddress: of.own.ethAddress })],
    ['its e-mail address', (of: Case) => ({ email: of.member.email })],
  ])('%s takes two officers', async (_, shared) => {
    const refused = await aRefusal()
    const { id } = await aCase(shared(refused))
    expect((await read(three, id)).body.approvalTakesTwo).toBe(true)
    const first = await approve(three, id)
    expect(first).toMatchObject({
      status: 200,
      body: {
        status: 'in_review',
        approvalProposedBy: { id: three.id, name: `Officer Three (${three.email})` },
        assignee: null,
      },
    })
    expect((await decide(three, id, { status: 'approved' })).status).toBe(409)
    expect((await update(three, { id, status: 'approved' })).status).toBe(409)
    const second = await decide(four, id, { status: 'approved' })
    expect(second.body).toMatchObject({ status: 'approved', approvalProposedBy: null })
    expect((await events(two, id)).filter(({ what }) => what === 'approval_proposed')).toMatchObject([
      { by: 'Officer Three' },
    ])
  })

  test('needs one officer if only the name or nothing is the same', async () => {
    const { own } = await aRefusal({ dateOfBirth: '1980-05-06' })
    for (const fields of [{ firstName: own.firstName, dateOfBirth: '1980-05-07' }, {}]) {
      const { id } = await aCase(fields)
      expect((await read(one, id)).body.approvalTakesTwo).toBe(false)
      expect((await approve(one, id)).body.status).toBe('approved')
    }
  })

  test('cannot be obtained by erasing the account or deleting the application', async () => {
    for (const escape of [
      ({ member }: Case) => erase(member),
      ({ member, id }: Case) => remove(member, id),
    ]) {
      const refused = await aRefusal()
      await escape(refused)
      const { id } = await aCase({ photoUrls: [refused.photo] })
      expect((await approve(three, id)).body.status).toBe('in_review')
    }
  })

  test('needs two even if the setting was turned off since two decided the rejection', async () => {
    const { id } = await aSuspect()
    Object.assign(services.config, { isFourEyesRequired: false })
    try {
      expect((await read(one, id)).body.approvalTakesTwo).toBe(true)
      expect((await decide(three, id, { status: 'approved' })).body.status).toBe('in_review')
    } finally {
      Object.assign(services.config, { isFourEyesRequired: true })
    }
  })

  test('needs one again once the rejection was reversed', async () => {
    const { id, refused } = await aSuspect()
    await lift(three, refused.id)
    await lift(four, refused.id)
    expect((await read(one, id)).body).toMatchObject({ approvalTakesTwo: false, refusals: [] })
    expect((await decide(one, id, { status: 'approved' })).body.status).toBe('approved')
  })

  test('counts the same officer twice at once as one approval', async () => {
    const { id } = await aSuspect()
    const answers = await Promise.all([1, 2].map(() => decide(three, id, { status: 'approved' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await read(one, id)).body.status).toBe('in_review')
  })
})

describe('the first approval', () => {
  const proposed = async () => {
    const found = await aSuspect()
    expect((await decide(three, found.id, { status: 'approved' })).body.approvalProposedBy?.id).toBe(three.id)
    return found
  }
  const voice = async (id: string) => (await read(one, id)).body.approvalProposedBy

  test('ends when a photo is reviewed again', async () => {
    const { id } = await proposed()
    const judge = (verdict: 'refused' | 'accepted') =>
      reviewPhoto(started, four, id, 0, { verdict, reason: 'Forged.' })
    await readCase(started, four, id)
    expect(await voice(id)).not.toBeNull()
    await judge('refused')
    await judge('accepted')
    expect(await voice(id)).toBeNull()
    expect((await decide(four, id, { status: 'approved' })).body.status).toBe('in_review')
  })

  test('ends with any other decision, and with the next submission', async () => {
    const asked = await proposed()
    await decide(four, asked.id, { status: 'more_info', reason: 'Which country?' })
    expect(await voice(asked.id)).toBeNull()
    await update(asked.member, { id: asked.id, country: 'Norway' })
    await readCase(started, four, asked.id)
    expect((await decide(four, asked.id, { status: 'approved' })).body.status).toBe('in_review')
    const doubted = await proposed()
    await decide(four, doubted.id, finalRefusal)
    expect(await voice(doubted.id)).toBeNull()
  })

  test('ends when the lists name someone else', async () => {
    const { id } = await proposed()
    await db
      .updateTable('kyc_application')
      .set({ screening_hash: 'another finding' })
      .where('id', '=', id)
      .execute()
    await read(one, id)
    expect(await voice(id)).toBeNull()
  })

  test('does not outlive the application', async () => {
    const { id, member } = await proposed()
    await remove(member, id)
    const row = db.selectFrom('kyc_application').selectAll().where('id', '=', id)
    expect(await row.executeTakeFirst()).toMatchObject({ approval_proposed_by: null })
    expect((await decide(four, id, { status: 'approved' })).status).toBe(404)
  })

  test('stays hidden from the applicant', async () => {
    const { member } = await proposed()
    const { body } = await call(api.exportMember, {}, { token: member.token })
    expect(JSON.stringify(body)).not.toContain('proposed')
  })
})

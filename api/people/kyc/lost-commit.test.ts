import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { anApplicant, aPicture, aSignedInMember } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

/** Makes transactions that store pictures lose their connection: before their commit, or before its response. */
function loseConnection({ services }: TestApi, what: 'answer' | 'commit'): void {
  const { db } = services
  const countKept = async () => {
    const photos = await db.selectFrom('kyc_photo').select('file_key').execute()
    const staged = await db.selectFrom('kyc_staged_photo').select('file_key').execute()
    return photos.length + staged.length
  }
  const lost = () => new Error('Connection terminated unexpectedly')
  const transaction = () => ({
    async execute(work: (tx: unknown) => Promise<unknown>) {
      const before = await countKept()
      const done = await db.transaction().execute(async (tx) => {
        const done = await work(tx)
        const { n } = await tx
          .selectFrom('kyc_photo')
          .fullJoin('kyc_staged_photo', (join) => join.onTrue())
          .select((each) => each.fn.countAll<string>().as('n'))
          .executeTakeFirstOrThrow()
        if (what === 'commit' && Number(n) > before) throw lost()
        return done
      })
      if ((await countKept()) > before) throw lost()
      return done
    },
  })
  services.db = new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  onTestFinished(() => void (services.db = db))
}

const filesOf = async ({ services }: TestApi) =>
  (await readdir(join(services.config.dataDir, 'files', 'kyc')).catch(() => [])).length

test.each(['an application', 'a photo sent ahead'] as const)(
  '%s keeps its pictures if the commit succeeded but its response was lost',
  async (what) => {
    const started = await startApi()
    const { db } = started.services
    const member = await aSignedInMember(started)
    const photo = await aPicture()
    loseConnection(started, 'answer')
    const answer =
      what === 'an application'
        ? await started.call(
            api.createKyc,
            { body: { ...anApplicant(member.email), photoUrls: [photo] } },
            { token: member.token },
          )
        : await started.call(api.stageKycPhoto, { body: { photo } }, { token: member.token })
    expect(answer).toMatchObject({ status: 503, problem: { code: 'unavailable' } })
    await db
      .updateTable('pending_file')
      .set({ created_at: new Date(0) })
      .execute()
    await cleanUp({ ...started.services, db })
    expect(await filesOf(started)).toBe(1)
    const table = what === 'an application' ? 'kyc_photo' : 'kyc_staged_photo'
    expect(await db.selectFrom(table).select('file_key').execute()).toHaveLength(1)
  },
)

test('an uncommitted application leaves no file after the next cleanup', async () => {
  const started = await startApi()
  const { db } = started.services
  const member = await aSignedInMember(started)
  loseConnection(started, 'commit')
  const refused = await started.call(
    api.createKyc,
    { body: { ...anApplicant(member.email), photoUrls: [await aPicture()] } },
    { token: member.token },
  )
  expect(refused.status).toBe(503)
  await db
    .updateTable('pending_file')
    .set({ created_at: new Date(0) })
    .execute()
  await cleanUp({ ...started.services, db })
  expect(await filesOf(started)).toBe(0)
  expect(await db.selectFrom('kyc_application').select('id').execute()).toEqual([])
  expect(await db.selectFrom('pending_file').selectAll().execute()).toEqual([])
})

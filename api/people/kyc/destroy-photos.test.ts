import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anApplication, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { cleanUp } from '#tests/clean-up.ts'

const days = (n: number) => new Date(Date.now() - n * 86_400_000)

test.each(['approved', 'expired'] as const)(
  'destroys documents of an identity that is %s after the retention period, with a receipt',
  async (state) => {
    const started = await startApi({ KYC_RETENTION_DAYS: '100' })
    const { db, files } = started.services
    const outcomes: unknown[] = []
    for (const age of [99, 101]) {
      const member = await aSignedInMember(started)
      const { _id } = await anApplication(started, member, state)
      const { file_key } = await db
        .selectFrom('kyc_photo')
        .select('file_key')
        .where('application_id', '=', _id)
        .executeTakeFirstOrThrow()
      await db
        .updateTable('kyc_application')
        .set({ decided_at: days(age) })
        .where('id', '=', _id)
        .execute()
      await cleanUp(started.services)
      const row = await db
        .selectFrom('kyc_application')
        .select(['full_name', 'status', 'sealed_data_key', 'photo_count'])
        .where('id', '=', _id)
        .executeTakeFirstOrThrow()
      expect(row).toMatchObject({ full_name: 'Sample Person', status: state })
      const history = await started.call(api.getKycHistory, { params: { id: _id } }, { token: member.token })
      const receipts = await db
        .selectFrom('audit_entry')
        .select(['action', 'actor_id', 'detail', 'seq', 'hash'])
        .where('subject_id', '=', _id)
        .execute()
      const [kept] = receipts
      expect(history.body.receipt).toEqual(
        kept ? { at: expect.any(String), entry: Number(kept.seq), hash: kept.hash!.toString('hex') } : null,
      )
      outcomes.push([
        row.sealed_data_key !== null,
        (await files.get(file_key)) !== undefined,
        receipts.map(({ action, actor_id, detail }) => ({ action, actor_id, detail })),
      ])
    }
    expect(outcomes).toEqual([
      [true, true, []],
      [
        false,
        false,
        [{ action: 'kyc-photos-destroyed', actor_id: null, detail: { photos: 1, status: state } }],
      ],
    ])
  },
)

test.each(['rejected', 'more_info'] as const)(
  'destroys pictures of an application that is %s 30 days later, regardless of notes',
  async (state) => {
    const started = await startApi()
    const { db } = started.services
    const isKept: boolean[] = []
    for (const age of [29, 31]) {
      const { _id } = await anApplication(started, await aSignedInMember(started), state)
      // A note, or undoing the decision, changes the application but not its decision.
      await db
        .updateTable('kyc_application')
        .set({ decided_at: days(age), updated_at: days(age === 31 ? 0 : 40) })
        .where('id', '=', _id)
        .execute()
      await cleanUp(started.services)
      const { sealed_data_key } = await db
        .selectFrom('kyc_application')
        .select('sealed_data_key')
        .where('id', '=', _id)
        .executeTakeFirstOrThrow()
      isKept.push(sealed_data_key !== null)
    }
    expect(isKept).toEqual([true, false])
  },
)

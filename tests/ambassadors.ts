import { randomUUID } from 'node:crypto'
import { newInvitationCode } from '#api/platform/text/readable-codes.ts'
import { anEmail } from './builders.ts'
import type { TestApi } from './setup/start-api.ts'

export type TestAmbassador = { id: string; code: string; slug: string }

/** Inserts an accepted ambassador, linked to the member or invited by email. */
export async function anAmbassador(
  { services: { db } }: TestApi,
  options: { memberId?: string; email?: string } = {},
): Promise<TestAmbassador> {
  const { memberId = null } = options
  const row = await db
    .insertInto('ambassador')
    .values({
      email: memberId === null ? (options.email ?? anEmail()) : null,
      member_id: memberId,
      joined_at: memberId === null ? null : new Date(),
      full_name: 'Sample Applicant',
      language: 'en',
      code: newInvitationCode(),
    })
    .returning(['id', 'code'])
    .executeTakeFirstOrThrow()
  return { ...row, slug: `sample-${row.id}` }
}

export const aWrittenProfile = {
  en: { name: 'Sample Person', place: 'Oslo, Norway', sentence: 'I run a meeting every month.' },
  cn: { name: '样本人物', place: '挪威奥斯陆', sentence: '我每月组织一次聚会。' },
  link: 'https://social.example/sample',
  languages: ['en', 'no'] as ('en' | 'no')[],
}

/** Inserts a profile that was submitted for review or, if approved, published. */
export async function aSubmittedProfile(
  { services: { db } }: TestApi,
  { id, slug }: TestAmbassador,
  { isApproved = false } = {},
) {
  const { en, cn, link, languages } = aWrittenProfile
  if (isApproved) await db.updateTable('ambassador').set({ slug, position: 1 }).where('id', '=', id).execute()
  return db
    .insertInto('ambassador_profile')
    .values({
      id: randomUUID(),
      ambassador_id: id,
      state: isApproved ? 'approved' : 'submitted',
      name_en: en.name,
      name_cn: cn.name,
      place_en: en.place,
      place_cn: cn.place,
      sentence_en: en.sentence,
      sentence_cn: cn.sentence,
      link,
      languages,
      submitted_at: new Date(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

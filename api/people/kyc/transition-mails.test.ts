import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { KycState } from '#contract/people/kyc.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import { anApplicant, anApplication, aPicture, aSignedInMember } from '#tests/builders.ts'
import { readCase } from '#tests/setup/read-case.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({ KYC_FOUR_EYES: 'off' }, afterAll)
const { call, services } = started
const officer = await aSignedInMember(started, { manage_finance: 2, display_name: 'Officer One' })

const reason = 'Zanzibar is written here'

async function aMemberReading(language: Language) {
  const member = await aSignedInMember(started)
  await services.db.updateTable('member').set({ language }).where('id', '=', member.id).execute()
  return member
}

async function decide(id: string, status: Exclude<KycState, 'submitted'>, isFinal = false) {
  if (status === 'approved') await readCase(started, officer, id)
  const body = { status: status as 'approved', reason, note: 'Timbuktu', ...(isFinal ? { isFinal } : {}) }
  const answer = await call(api.decideKycCase, { params: { id }, body }, { token: officer.token })
  expect(answer.status).toBe(200)
}

type Path = { name: string; steps: (id: string) => Promise<void>; kinds: string[] }
const paths: Path[] = [
  { name: 'handed in', steps: async () => {}, kinds: ['kyc-submitted'] },
  {
    name: 'reviewed and approved',
    steps: async (id) => {
      await decide(id, 'in_review')
      await decide(id, 'approved')
    },
    kinds: ['kyc-submitted', 'kyc-in-review', 'kyc-approved'],
  },
  { name: 'refused', steps: (id) => decide(id, 'rejected'), kinds: ['kyc-submitted', 'kyc-rejected'] },
  {
    name: 'refused for good',
    steps: (id) => decide(id, 'rejected', true),
    kinds: ['kyc-submitted', 'kyc-rejected-final'],
  },
  {
    name: 'more was asked for',
    steps: (id) => decide(id, 'more_info'),
    kinds: ['kyc-submitted', 'kyc-more-info'],
  },
  {
    name: 'approved and withdrawn',
    steps: async (id) => {
      await decide(id, 'approved')
      await decide(id, 'withdrawn')
    },
    kinds: ['kyc-submitted', 'kyc-in-review', 'kyc-approved', 'kyc-withdrawn'],
  },
]

test.each(languages.flatMap((language) => paths.map((path) => ({ language, ...path }))))(
  'emails each step after it was $name in the member’s language ($language), without personal data',
  async ({ language, steps, kinds }) => {
    const member = await aMemberReading(language)
    // The browser may use a different language than the account.
    const { body } = await call(
      api.createKyc,
      { body: { ...anApplicant(member.email), photoUrls: [await aPicture()] } },
      { token: member.token, headers: { 'accept-language': language === 'en' ? 'zh-CN' : 'en' } },
    )
    await steps(body._id)
    const mails = await started.mailsTo(member.email)
    expect(mails.map(({ kind }) => kind)).toEqual(kinds)
    for (const { text, html, subject } of mails) {
      const all = subject + text + html
      expect(/\p{Script=Han}/u.test(all)).toBe(language === 'cn')
      for (const personal of [
        'Sample Person',
        'Iceland',
        '0x5290',
        reason,
        'Timbuktu',
        'Officer One',
        body._id,
      ])
        expect(all).not.toContain(personal)
      expect(text).not.toContain(member.email)
      expect(text).toMatch(/https?:\/\/\S+\/(kyc|account\/account-details)\b/)
    }
  },
)

test('confirms an answer to a request like the first application', async () => {
  const member = await aMemberReading('cn')
  const { _id } = await anApplication(started, member)
  await decide(_id, 'more_info')
  await call(api.updateKyc, { body: { id: _id, country: 'Norway' } }, { token: member.token })
  const mails = await started.mailsTo(member.email)
  expect(mails.map(({ kind }) => kind)).toEqual(['kyc-submitted', 'kyc-more-info', 'kyc-submitted'])
})

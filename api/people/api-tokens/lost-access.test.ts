import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { TokenLevels } from '#contract/people/api-tokens.ts'
import { updateMemberRow, type MemberChange } from '#api/people/members/member.queries.ts'
import { aToken, by } from '#tests/api-tokens.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { as } from '#tests/step-up.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const admin = await aSignedInMember(started, { is_write_access_admin: true })

async function aTokenOf(rights: MemberChange, levels: Partial<TokenLevels>) {
  const owner = await aSignedInMember(started, rights)
  const token = await aToken(started, owner.id, { levels })
  const { call } = started
  const params = { id: owner.id }
  const setActive = async (active: boolean) =>
    (await call(api.setMemberActive, { params, body: { active, reason: 'Stolen?' } }, as(admin))).status
  const setRights = async (given: object) =>
    (await call(api.setMemberRights, { params, body: { ...given, reason: 'New task.' } }, as(admin))).status
  const isAccepted = async () => (await call(api.listNeedsAttention, {}, by(token.secret))).status === 200
  const shown = async () =>
    (await call(api.listApiTokens, { query: { q: owner.email } }, as(admin))).body.find(
      ({ id }) => id === token.id,
    )
  return { owner, ...token, setActive, setRights, isAccepted, shown }
}

describe('a token stays revoked', () => {
  test('when its owner’s account is deactivated and reactivated', async () => {
    const { id, setActive, isAccepted, shown } = await aTokenOf({ manage_finance: 2 }, { finance: 2 })
    expect(await isAccepted()).toBe(true)
    expect(await setActive(false)).toBe(200)
    expect(await shown()).toMatchObject({ state: 'revoked', revoked: { by: admin.email, reason: '' } })
    expect(await setActive(true)).toBe(200)
    expect(await isAccepted()).toBe(false)
    const entries = await started.services.db
      .selectFrom('audit_entry')
      .select('actor_id')
      .where('action', '=', 'token-revoked')
      .where('subject_id', '=', id)
      .execute()
    expect(entries).toEqual([{ actor_id: admin.id }])
  })

  test.each([
    ['a level', { manage_finance: 2 }, { finance: 1 }, { manageFinance: 0 }, { manageFinance: 2 }],
    ['write access', { manage_finance: 2 }, { finance: 2 }, { manageFinance: 1 }, { manageFinance: 2 }],
    [
      'one of several levels',
      { manage_finance: 2, manage_news: 1 },
      { finance: 2, news: 1 },
      { manageFinance: 0 },
      { manageFinance: 2 },
    ],
    [
      'the administrator right',
      { is_write_access_admin: true },
      { employee: 2 },
      { isWriteAccessAdmin: false },
      { isWriteAccessAdmin: true },
    ],
  ] as const)('when its owner loses %s and gets it back', async (_, rights, levels, less, again) => {
    const { setRights, isAccepted, shown } = await aTokenOf(rights, levels)
    expect(await isAccepted()).toBe(true)
    expect(await setRights(less)).toBe(200)
    expect((await shown())?.state).toBe('revoked')
    expect(await setRights(again)).toBe(200)
    expect(await isAccepted()).toBe(false)
  })

  test('when it was rejected before and its owner gets access again', async () => {
    const { owner, setActive, isAccepted } = await aTokenOf({ manage_finance: 2 }, { finance: 2 })
    // As an earlier release left it.
    await updateMemberRow(started.services.db, owner.id, { active: false, closed_at: new Date() })
    expect(await setActive(true)).toBe(200)
    expect(await isAccepted()).toBe(false)
  })
})

describe('a token keeps working', () => {
  test.each([
    ['loses a level that the token doesn’t have', { manageNews: 0 }],
    ['loses access beyond the token’s', { manageFinance: 1 }],
    ['gets another level', { manageCoins: 2 }],
  ])('when its owner %s', async (_, given) => {
    const { setRights, isAccepted, shown } = await aTokenOf(
      { manage_finance: 2, manage_news: 1 },
      { finance: 1 },
    )
    expect(await setRights(given)).toBe(200)
    expect(await isAccepted()).toBe(true)
    expect((await shown())?.state).toBe('active')
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { noLevels } from '#tests/api-tokens.ts'
import { aMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as, letProofAge } from '#tests/step-up.ts'

const missing = randomUUID()
const reason = 'A sample reason.'

/** Requests that need step-up authentication, each with an entry or record that fails for every caller. */
const refusedCalls: [name: string, endpoint: Endpoint, input: CallOf<Endpoint>, code: string][] = [
  [
    'an official domain that is none',
    api.addOfficialEntry,
    { body: { kind: 'domain', value: 'not a domain', note: 'Sample.' } },
    'validation_failed',
  ],
  [
    'a withdrawn official entry',
    api.withdrawOfficialEntry,
    { params: { id: missing }, body: null },
    'not_found',
  ],
  [
    'a token without a permission',
    api.createApiToken,
    { body: { name: 'Sample', levels: noLevels } },
    'validation_failed',
  ],
  ['a token of nobody', api.rotateApiToken, { params: { id: missing }, body: {} }, 'not_found'],
  [
    'a webhook address with a password',
    api.createWebhook,
    { body: { url: 'https://sample:secret@example.org/', events: ['post.published'] } },
    'validation_failed',
  ],
  [
    'a new webhook address with a password',
    api.updateWebhook,
    { body: { id: missing, url: 'https://sample:secret@example.org/' } },
    'validation_failed',
  ],
  ['a missing webhook', api.deleteWebhook, { body: { id: missing } }, 'not_found'],
  ['a test of a missing webhook', api.testWebhook, { body: { id: missing } }, 'not_found'],
  [
    'a reference that is none',
    api.assignStatementLine,
    { params: { id: missing }, body: { reference: 'none', reason } },
    'validation_failed',
  ],
  [
    'a missing statement line',
    api.dismissStatementLine,
    { params: { id: missing }, body: { reason } },
    'not_found',
  ],
  [
    'a missing statement line to reopen',
    api.reopenStatementLine,
    { params: { id: missing }, body: { reason } },
    'not_found',
  ],
  [
    'permissions that are not named',
    api.setMemberRights,
    { params: { id: missing }, body: { reason } },
    'validation_failed',
  ],
  [
    'a missing account to close',
    api.setMemberActive,
    { params: { id: missing }, body: { active: false, reason } },
    'not_found',
  ],
  [
    'a missing account to erase',
    api.openMemberErasure,
    { params: { id: missing }, body: { reason } },
    'not_found',
  ],
  [
    'a missing account to export',
    api.offerMemberExport,
    { params: { id: missing }, body: { reason } },
    'not_found',
  ],
  [
    'a missing account to recover',
    api.offerMemberRecovery,
    { params: { id: missing }, body: { reason } },
    'not_found',
  ],
  [
    'a missing account with another address',
    api.correctMemberEmail,
    { params: { id: missing }, body: { email: 'new@example.org', reason } },
    'not_found',
  ],
  ['a missing request of a lost factor', api.rejectRecoveryRequest, { body: { id: missing } }, 'not_found'],
  ['a missing email', api.stopMail, { body: { id: missing } }, 'not_found'],
  [
    'a missing content release',
    api.confirmContentRelease,
    { params: { id: missing }, body: null },
    'not_found',
  ],
  [
    'a missing order to withdraw from',
    api.requestWithdrawal,
    { params: { id: missing }, body: {} },
    'not_found',
  ],
  [
    'an address of tokens that is none',
    api.setTokenAddress,
    { params: { id: missing }, body: { fabAddress: '0x-not-an-address' } },
    'validation_failed',
  ],
  ['a missing case to export', api.exportKycCase, { params: { id: missing } }, 'not_found'],
]

test('checks entries and records before asking for step-up authentication', async () => {
  const started = await startApi()
  const staff = await aMember(started, {
    rights: {
      is_write_access_admin: true,
      manage_news: 2,
      manage_employee: 2,
      manage_finance: 2,
      manage_coins: 2,
    },
  })
  await letProofAge(started)
  for (const [name, endpoint, input, code] of refusedCalls) {
    const { problem } = await started.call(endpoint, input, as(staff))
    expect.soft(problem?.code, name).toBe(code)
  }
})

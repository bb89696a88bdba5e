// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { findConversation } from '#contract/people/conversations.ts'
import { getKycHistory, listKycOfMember, type KycApplication } from '#contract/people/kyc.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { answering } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import kycPage from './kyc-page.tsx'

const t = wordsOf('en')
const rejected = {
  _id: 'k1',
  memberId: 'm1',
  email: 'applicant@example.org',
  firstName: 'Ada',
  status: 'rejected',
  photoCount: 2,
  isFinal: true,
  reason: 'Forged.',
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
} as KycApplication

test('the page after a final rejection promises no quick check', async () => {
  await signedIn()
  answering(listKycOfMember, [rejected])
  answering(getKycHistory, {
    steps: [],
    photos: [],
    views: [],
    usualHours: null,
    receipt: null,
    validUntil: null,
  })
  answering(findConversation, { conversation: null })
  show(<kycPage.View data={undefined} params={{}} search={new URLSearchParams()} />)
  expect(await screen.findByText(t('kyc.status.final.text'))).toBeVisible()
  expect(await screen.findByRole('link', { name: 'contact us' })).toHaveAttribute('href', '#messages')
  expect(document.querySelector('#messages')).not.toBeNull()
  // The only thing left to send is a message.
  const send = await screen.findByRole('button', { name: t('conversations.send') })
  expect(screen.getAllByRole('button')).toEqual([send])
  expect(screen.queryByText(t('kyc.form.lead'))).toBeNull()
})

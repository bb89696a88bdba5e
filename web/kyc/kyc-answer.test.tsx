// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  getKycHistory,
  listStagedKycPhotos,
  updateKyc,
  type KycApplication,
  type KycHistory,
} from '#contract/people/kyc.ts'
import { getHandoff } from '#contract/people/kyc-handoff.ts'
import { aMember, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { KycAnswer } from './kyc-page.tsx'

const t = wordsOf('en')
const asked = {
  _id: 'k1',
  firstName: 'Ada Lovelace',
  lastName: '',
  country: 'England',
  dateOfBirth: '1990-12-10',
  email: 'a@example.com',
  ethAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  btcAddress: '',
  status: 'more_info',
  reason: 'Which country issued it?',
  photoCount: 2,
  updatedAt: '2026-11-20T00:00:00.000Z',
} as KycApplication
const aPhoto = (n: number, verdict: 'accepted' | 'refused', isReplaced = false) => ({
  n,
  verdict,
  reason: verdict === 'refused' ? `Blurred ${n}.` : '',
  round: 1,
  isReplaced,
})

async function open(photos: KycHistory['photos']) {
  await signedIn()

  answering(getHandoff, { id: null, state: 'none', expiresAt: null, openedAt: null, device: '', photos: [] })
  answering(listStagedKycPhotos, [])
  answering(getKycHistory, {
    steps: [],
    photos,
    views: [],
    usualHours: null,
    receipt: null,
    validUntil: null,
  })
  answering(updateKyc, { ...asked, status: 'submitted' })
  const shown = show(
    <KycAnswer
      memberId={aMember.id}
      email="a@example.com"
      asked={asked}
      onHandedIn={() => {}}
      onStale={() => {}}
      onCancel={() => {}}
    />,
  )
  await screen.findByRole('heading', { name: t('kyc.answer.heading') })
  return shown
}
const send = () => screen.getByRole('button', { name: t('kyc.answer.submit') })

test('the question is above the form; if no photo was refused, none is requested', async () => {
  const { user } = await open([aPhoto(0, 'accepted'), aPhoto(1, 'accepted')])
  expect(screen.getByText('Which country issued it?')).toBeVisible()
  expect(screen.getByText(t('kyc.answer.kept', { count: 2 }))).toBeVisible()
  await waitFor(() => expect(send()).toBeEnabled())
  const country = screen.getByLabelText(t('kyc.country'), { exact: false })
  expect(country).toHaveValue('England')
  await user.clear(country)
  await user.type(country, 'Scotland')
  await user.click(send())
  await waitFor(() => expect(callsOf(updateKyc)).toHaveLength(1))
  expect(callsOf(updateKyc)[0]!.body).toMatchObject({ _id: 'k1', country: 'Scotland', photoUrls: [] })
})

test('a refused photo is requested again with its reason; one that was already replaced is not', async () => {
  await open([aPhoto(0, 'accepted'), aPhoto(1, 'refused', true), aPhoto(2, 'refused')])
  expect(screen.getByText('Blurred 2.')).toBeVisible()
  expect(screen.queryByText('Blurred 1.')).toBeNull()
  expect(screen.getByText(t('kyc.answer.kept', { count: 1 }))).toBeVisible()
  expect(send()).toBeDisabled()
})

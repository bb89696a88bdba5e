// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createKyc, stageKycPhoto } from '#contract/kyc.ts'
import { getHandoff } from '#contract/kyc-handoff.ts'
import { aMember, expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { kycDraft } from './draft.ts'
import { KycForm } from './kyc-form.tsx'

const t = wordsOf('en')
const name = () => screen.getByLabelText(t('kyc.fullName'))
const send = () => screen.getByRole('button', { name: t('kyc.submit') })

// This DOM draws no pictures: a photo is sent as it is, without a preview.
beforeEach(() => void vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('cannot draw'))))

async function fillIn() {
  await signedIn()
  answering(stageKycPhoto, { id: '0198f0a0-0000-7000-8000-000000000006', bytes: 3 })
  answering(getHandoff, { id: null, state: 'none', expiresAt: null, openedAt: null, device: '', photos: [] })
  const { user } = show(
    <KycForm memberId={aMember.id} email="a@example.com" onHandedIn={() => {}} onStale={() => {}} />,
  )
  await user.type(name(), 'Ada Lovelace')
  await user.type(screen.getByLabelText(t('kyc.dateOfBirth')), '1990-01-31')
  await user.type(screen.getByLabelText(t('kyc.country'), { exact: false }), 'England')
  await user.type(
    screen.getByLabelText(t('kyc.ethAddress'), { exact: false }),
    '0x52908400098527886E0F7030069857D2E4169EE7',
  )
  const photo = new File([new Uint8Array(3)], 'front.heic', { type: 'image/heic' })
  fireEvent.change(screen.getByLabelText(t('kyc.photos'), { exact: false }), { target: { files: [photo] } })
  await waitFor(() => expect(send()).toBeEnabled())
  return user
}

test.each([
  ['refused', () => refusing(createKyc, 'conflict'), () => t('kyc.conflict')],
  ['lost', () => unreachable(createKyc), () => t('errors.offline')],
])('what is typed after the application was %s outlives a reload, too', async (_, fail, alert) => {
  fail()
  const user = await fillIn()
  await user.click(send())
  await expectAlert(alert())
  await user.type(name(), ' Byron')
  await waitFor(() => expect(kycDraft(aMember.id).read()?.firstName).toBe('Ada Lovelace Byron'))
})

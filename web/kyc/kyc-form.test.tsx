// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createKyc, getStagedKycPhoto, listStagedKycPhotos, stageKycPhoto } from '#contract/people/kyc.ts'
import { getHandoff } from '#contract/people/kyc-handoff.ts'
import { aMember, expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { kycDraft, KycForm } from './kyc-form.tsx'

const t = wordsOf('en')
const name = () => screen.getByLabelText(t('kyc.fullName'))
const send = () => screen.getByRole('button', { name: t('kyc.submit') })

// This DOM implementation cannot draw pictures, so photos are sent unchanged and without a preview.
beforeEach(() => void vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('cannot draw'))))

const waitingId = '0198f0a0-0000-7000-8000-00000000000'
/** Photos already on the server, newest first. */
const waiting = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `${waitingId}${count - n}`,
    at: '2026-11-22T10:00:00.000Z',
    bytes: 3,
  }))

async function open(waitingCount = 0, isHeld = false) {
  await signedIn()
  const bring = (isHeld ? holding : answering)(listStagedKycPhotos, waiting(waitingCount))
  answering(getStagedKycPhoto, {})
  answering(stageKycPhoto, { id: '0198f0a0-0000-7000-8000-000000000006', bytes: 3 })
  answering(getHandoff, { id: null, state: 'none', expiresAt: null, openedAt: null, device: '', photos: [] })
  const shown = show(
    <KycForm memberId={aMember.id} email="a@example.com" onHandedIn={() => {}} onStale={() => {}} />,
  )
  return { ...shown, bring: bring ?? (() => {}) }
}

async function fillIn(waitingCount = 0) {
  const { user } = await open(waitingCount)
  await user.type(name(), 'Ada Lovelace')
  await user.type(screen.getByLabelText(t('kyc.dateOfBirth')), '1990-01-31')
  await user.type(screen.getByLabelText(t('kyc.country'), { exact: false }), 'England')
  await user.type(
    screen.getByLabelText(t('kyc.ethAddress'), { exact: false }),
    '0x52908400098527886E0F7030069857D2E4169EE7',
  )
  if (waitingCount > 0) {
    await waitFor(() => expect(send()).toBeEnabled())
    return user
  }
  const photo = new File([new Uint8Array(3)], 'front.heic', { type: 'image/heic' })
  fireEvent.change(screen.getByLabelText(t('kyc.photos'), { exact: false }), { target: { files: [photo] } })
  await waitFor(() => expect(send()).toBeEnabled())
  return user
}

test.each([
  ['refused', () => refusing(createKyc, 'conflict'), () => t('kyc.conflict')],
  ['lost', () => unreachable(createKyc), () => t('errors.offline')],
])('input after the application was %s also survives a reload', async (_, fail, alert) => {
  fail()
  const user = await fillIn()
  await user.click(send())
  await expectAlert(alert())
  await user.type(name(), ' Byron')
  await waitFor(() => expect(kycDraft(aMember.id).read()?.firstName).toBe('Ada Lovelace Byron'))
})

const waitingName = (number: number) => t('kyc.photo.waitingName', { number })

test('staged photos are shown again in order, and submitted', async () => {
  refusing(createKyc, 'unavailable')
  const user = await fillIn(2)
  expect(screen.getByText(waitingName(1))).toBeVisible()
  expect(screen.getByText(waitingName(2))).toBeVisible()
  await user.click(send())
  await waitFor(() => expect(callsOf(createKyc)).toHaveLength(1))
  expect(callsOf(createKyc)[0]!.body.photoUrls).toEqual([`staged:${waitingId}1`, `staged:${waitingId}2`])
})

test('if more are staged than an application accepts, the newest are shown and none is deleted', async () => {
  await open(9)
  await screen.findByText(waitingName(8))
  expect(screen.getAllByRole('listitem').filter((row) => row.querySelector('img'))).toHaveLength(8)
  expect(callsOf(getStagedKycPhoto).map(({ params }) => params.id)).not.toContain(`${waitingId}1`)
})

test('if others were chosen meanwhile, the oldest staged photos are left out but not deleted', async () => {
  const { bring } = await open(8, true)
  answering(stageKycPhoto, { id: '0198f0a0-0000-7000-8000-000000000010', bytes: 3 })
  const photo = new File([new Uint8Array(3)], 'front.heic', { type: 'image/heic' })
  fireEvent.change(screen.getByLabelText(t('kyc.photos'), { exact: false }), { target: { files: [photo] } })
  await screen.findByText('front.heic')
  bring()
  await screen.findByText(waitingName(2))
  const isOf = (name: string) => (row: HTMLElement) => row.textContent.includes(name)
  const rows = screen.getAllByRole('listitem')
  const names = [...[1, 2, 3, 4, 5, 6, 7, 8].map(waitingName), 'front.heic']
  expect(names.map((name) => rows.findIndex(isOf(name)))).toEqual([-1, 0, 1, 2, 3, 4, 5, 6, 7])
  expect(screen.queryByText(t('kyc.photo.tooMany', { name: waitingName(1), max: 8 }))).toBeNull()
})

test('a photo that the application is refused for is marked, and can be sent again', async () => {
  const message = t('field.photo_gone')
  refusing(createKyc, 'validation_failed', {
    errors: [{ path: 'photoUrls.1', code: 'photo_gone', message }],
  })
  const user = await fillIn(2)
  await user.click(send())
  const said = await screen.findByText(t('kyc.photo.failed', { reason: message }))
  const row = screen.getByText(waitingName(2)).closest('li')
  expect(row).toContainElement(said)
  await waitFor(() => expect(send()).toBeDisabled())
  await user.click(screen.getByRole('button', { name: t('kyc.photo.retryNamed', { name: waitingName(2) }) }))
  await waitFor(() => expect(send()).toBeEnabled())
})

test('an applicant who is too young reads so on entering the date of birth, before any photo is sent', async () => {
  const { user } = await open()
  const born = `${new Date().getUTCFullYear() - 17}-01-01`
  const field = screen.getByLabelText(t('kyc.dateOfBirth'))
  await user.type(field, born)
  await user.tab()
  await waitFor(() =>
    expect(field).toHaveAccessibleDescription(expect.stringContaining(t('field.too_young', { min: 18 }))),
  )
  expect(send()).toBeDisabled()
  expect(callsOf(stageKycPhoto)).toEqual([])
  await user.clear(field)
  await user.type(field, '1990-01-31')
  await waitFor(() => expect(field).not.toHaveAttribute('aria-invalid'))
})

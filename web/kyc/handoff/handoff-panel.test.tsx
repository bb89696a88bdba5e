// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { endHandoff, getHandoff, createHandoff, type Handoff } from '#contract/people/kyc-handoff.ts'
import { expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { usePhotos } from '../use-photos.ts'
import { HandoffPanel } from './handoff-panel.tsx'

const t = wordsOf('en')
const button = (key: string) => screen.getByRole('button', { name: t(key) })
const link = 'L'.repeat(43)
const expiresAt = '2036-01-01T00:00:00.000Z'
const none: Handoff = { id: null, state: 'none', expiresAt: null, openedAt: null, device: '', photos: [] }
const handoff = (fields: Partial<Handoff>): Handoff => ({
  ...none,
  id: '0198f0a0-0000-7000-8000-000000000007',
  expiresAt,
  ...fields,
})

function Panel() {
  return <HandoffPanel photos={usePhotos()} />
}

async function begin() {
  await signedIn()
  answering(getHandoff, none)
  const { user } = show(<Panel />)
  answering(createHandoff, { link, expiresAt })
  answering(getHandoff, handoff({ state: 'waiting' }))
  // Leaving the page ends the link.
  answering(endHandoff, { ended: true })
  await user.click(button('kyc.handoff.begin'))
  return user
}

test('a phone gets here by QR code or address, and the page says that it works once', async () => {
  await begin()
  expect(await screen.findByRole('img', { name: t('kyc.handoff.qr') })).toBeVisible()
  expect(screen.getByText(new RegExp(`/kyc/phone.*#${link}`))).toBeVisible()
  expect(callsOf(createHandoff)[0]!.body).toEqual({ room: 8 })
  expect(button('kyc.handoff.cancel')).toBeEnabled()
})

test('shows when and on which device it was opened, with a button to end it', async () => {
  const user = await begin()
  await screen.findByRole('img', { name: t('kyc.handoff.qr') })
  answering(
    getHandoff,
    handoff({ state: 'open', openedAt: '2026-11-20T10:00:00.000Z', device: 'Safari · iOS' }),
  )
  expect(await screen.findByText(t('kyc.handoff.openHelp'))).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('Safari · iOS')
  answering(endHandoff, { ended: true })
  answering(getHandoff, handoff({ state: 'ended', openedAt: '2026-11-20T10:00:00.000Z' }))
  await user.click(button('kyc.handoff.end'))
  expect(await screen.findByText(t('kyc.handoff.ended'))).toBeVisible()
  expect(button('kyc.handoff.again')).toBeEnabled()
})

test('a lost connection is announced and can be retried', async () => {
  await signedIn()
  answering(getHandoff, none)
  const { user } = show(<Panel />)
  unreachable(createHandoff)
  await user.click(button('kyc.handoff.begin'))
  await expectAlert(t('errors.offline'))
  expect(button('kyc.handoff.begin')).toBeEnabled()
})

// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { eraseMember, previewErasure, type RetainedData } from '#contract/people/privacy.ts'
import { expectAlert, missing, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { EraseAccount } from './erase-account.tsx'
import { Erased } from './erased.tsx'

const t = wordsOf('en')
const kept: RetainedData = [{ what: 'orders', until: '2036-05-06T12:00:00.000Z' }]
const erasurePreview = {
  id: '0198f0a0-0000-7000-8000-000000000001',
  erased: ['account' as const, 'sessions' as const],
  kept,
  isLastAdmin: false,
}

const button = (label: string) => screen.getByRole('button', { name: t(label) })
const password = () => screen.getByLabelText(t('account.erase.password'))
const understood = () => screen.getByRole('checkbox', { name: t('account.erase.understood') })
const submit = () => button('account.erase.submit')
const textsOf = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
/** The retained data and its retention date, in the words of the page. */
const keptOrders = t('account.erase.kept.orders', { date: 'May\u{A0}6, 2036' })

async function begin() {
  await signedIn()
  const erased: RetainedData[] = []
  const { user } = show(<EraseAccount email="member@example.com" onErased={(stays) => erased.push(stays)} />)
  await user.click(button('account.erase.begin'))
  return { user, erased }
}

async function fillIn() {
  answering(previewErasure, erasurePreview)
  const begun = await begin()
  await begun.user.type(await screen.findByLabelText(t('account.erase.password')), 'secret words')
  await begun.user.click(understood())
  return begun
}

test('lists what is erased and what is retained until when before anything happens', async () => {
  answering(previewErasure, erasurePreview)
  await begin()
  expect(await screen.findByRole('heading', { name: t('account.erase.gone') })).toBeVisible()
  expect(screen.getByRole('heading', { name: t('account.erase.kept') })).toBeVisible()
  const [gone, stays] = screen.getAllByRole('list').map(textsOf)
  expect(gone).toEqual([t('account.erase.gone.account'), t('account.erase.gone.sessions')])
  expect(stays).toEqual([keptOrders, t('account.erase.chain')])
  expect(callsOf(eraseMember)).toEqual([])
})

test('says so if nothing must be retained', async () => {
  answering(previewErasure, { ...erasurePreview, kept: [] })
  await begin()
  expect(await screen.findByText(t('account.erase.kept.none'))).toBeVisible()
})

test("a list that can't be loaded is announced, with a retry", async () => {
  unreachable(previewErasure)
  const { user } = await begin()
  await expectAlert(t('account.erase.loadFailed'))
  expect(screen.queryByRole('button', { name: t('account.erase.submit') })).toBeNull()
  answering(previewErasure, erasurePreview)
  await user.click(button('forms.retry'))
  expect(await screen.findByLabelText(t('account.erase.password'))).toBeVisible()
})

test('the last administrator is told why erasure is impossible, and is not asked for a password', async () => {
  answering(previewErasure, { ...erasurePreview, isLastAdmin: true })
  await begin()
  expect(await screen.findByText(t('account.erase.lastAdmin'))).toBeVisible()
  expect(screen.queryByLabelText(t('account.erase.password'))).toBeNull()
})

test('the button requires the password and the confirmation, and says so', async () => {
  answering(previewErasure, erasurePreview)
  const { user } = await begin()
  await user.type(await screen.findByLabelText(t('account.erase.password')), 'secret words')
  expect(submit()).toBeDisabled()
  expect(submit()).toHaveAccessibleDescription(missing(t, 'account.erase.understood'))
  await user.click(understood())
  expect(submit()).toBeEnabled()
  await user.clear(password())
  expect(submit()).toHaveAccessibleDescription(missing(t, 'account.erase.password'))
})

test('during the erasure nothing can be pressed twice or cancelled', async () => {
  const release = holding(eraseMember, { erased: true, kept })
  const { user, erased } = await fillIn()
  await user.click(submit())
  expect(button('account.erase.busy')).toBeDisabled()
  expect(button('forms.cancel')).toBeDisabled()
  release()
  await waitFor(() => expect(erased).toEqual([kept]))
  expect(callsOf(eraseMember).map(({ body }) => body)).toEqual([{ current: 'secret words' }])
})

test('a wrong password is announced, and nothing is erased', async () => {
  refusing(eraseMember, 'credentials_invalid')
  const { user, erased } = await fillIn()
  await user.click(submit())
  await expectAlert(t('account.erase.wrong'))
  expect(understood()).toBeChecked()
  expect(submit()).toBeEnabled()
  expect(erased).toEqual([])
})

test('without a connection the page says so, and one click retries', async () => {
  unreachable(eraseMember)
  const { user, erased } = await fillIn()
  await user.click(submit())
  await expectAlert(t('errors.offline'))
  answering(eraseMember, { erased: true, kept: [] })
  await user.click(button('forms.retry'))
  await waitFor(() => expect(erased).toEqual([[]]))
})

test('Cancel erases nothing and clears the password', async () => {
  const { user, erased } = await fillIn()
  await user.click(button('forms.cancel'))
  expect(screen.queryByLabelText(t('account.erase.password'))).toBeNull()
  await user.click(button('account.erase.begin'))
  expect(await screen.findByLabelText(t('account.erase.password'))).toHaveValue('')
  expect(callsOf(eraseMember)).toEqual([])
  expect(erased).toEqual([])
})

test('the last page focuses its heading and repeats what is retained', () => {
  show(<Erased retainedData={kept} />)
  expect(screen.getByRole('heading', { name: t('account.erased.heading') })).toHaveFocus()
  expect(screen.getByText(keptOrders.replace('\u{A0}', ' '))).toBeVisible()
  expect(screen.getByRole('link', { name: t('account.erased.home') })).toHaveAttribute('href', '/')
})

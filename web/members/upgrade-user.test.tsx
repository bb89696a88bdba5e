// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { findMember, updateMember, type User } from '#contract/people/members.ts'
import { aMember, expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { UpgradeUser } from './upgrade-user.tsx'

const t = wordsOf('en')
const found = {
  _id: '0198f0a0-0000-7000-8000-000000000004',
  email: 'found@example.com',
  displayName: 'Ada Lovelace',
  isWriteAccessAdmin: false,
} as User
const field = () => screen.getByLabelText(t('orders.upgrade.email'))
const submit = () => screen.getByRole('button', { name: t('orders.upgrade.submit') })
const confirm = { name: t('orders.upgrade.confirm', { name: 'Ada Lovelace' }) }

/** Expands the tool. */
async function open(isAdministrator: boolean) {
  const shown = show(<UpgradeUser isAdministrator={isAdministrator} />)
  const heading = screen.getByRole('heading', { name: t('orders.upgrade.heading') })
  expect(heading.closest('details')).not.toHaveAttribute('open')
  await shown.user.click(heading.closest('summary')!)
  await screen.findByLabelText(t('orders.upgrade.email'))
  return shown
}

async function lookUp() {
  await signedIn({ isWriteAccessAdmin: true })
  const { user } = await open(true)
  await user.type(field(), found.email)
  await user.click(submit())
  return user
}

test('a member is confirmed by name before anything changes, and the form is ready for the next', async () => {
  answering(findMember, found)
  answering(updateMember, { ...found, isWriteAccessAdmin: true })
  const user = await lookUp()
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(found.email)).toBeVisible()
  expect(callsOf(updateMember)).toEqual([])
  await user.click(dialog.getByRole('button', confirm))
  expect(
    await screen.findByText(t('orders.upgrade.done', { name: 'Ada Lovelace', email: found.email })),
  ).toBeVisible()
  expect(callsOf(updateMember)[0]!.body).toEqual({ _id: found._id, isWriteAccessAdmin: true })
  expect(field()).toHaveValue('')
})

test('Cancel changes nothing, and the address stays', async () => {
  answering(findMember, found)
  const user = await lookUp()
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: t('forms.cancel') }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(callsOf(updateMember)).toEqual([])
  expect(field()).toHaveValue(found.email)
})

test('a member who is already an administrator is not promoted again', async () => {
  answering(findMember, { ...found, isWriteAccessAdmin: true })
  await lookUp()
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(t('orders.upgrade.alreadyText'))).toBeVisible()
  expect(dialog.queryByRole('button', confirm)).toBeNull()
})

test('an unknown address gets its own message', async () => {
  refusing(findMember, 'not_found')
  await lookUp()
  await expectAlert(t('orders.upgrade.notFound'))
})

test('a refused change is announced in the dialog, which stays open', async () => {
  // The page also logs the error to the console.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  answering(findMember, found)
  refusing(updateMember, 'forbidden', { message: 'Not yours to give.' })
  const user = await lookUp()
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', confirm))
  await expectAlert('Not yours to give.')
  expect(screen.getByRole('dialog')).toBeVisible()
})

test("a member who is not an administrator sees the tool but can't use it", async () => {
  await signedIn()
  await open(false)
  expect(screen.getByText(t('orders.upgrade.notAllowed'))).toBeVisible()
  expect(field()).toBeDisabled()
  expect(submit()).toBeDisabled()
})

test('a pending right says what it is waiting for, when granted and later', async () => {
  const waiting = {
    ...found,
    waitingRights: { ...found, isWriteAccessAdmin: true, needs: ['password', 'second_factor'] },
  } as User
  const waits = t('orders.upgrade.waits', {
    needs: [t('orders.upgrade.need.password', { min: 12 }), t('orders.upgrade.need.second_factor')].join(
      t('orders.upgrade.need.separator'),
    ),
  })
  answering(findMember, found)
  answering(updateMember, waiting)
  const user = await lookUp()
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', confirm))
  expect(await screen.findByText(waits)).toBeVisible()
  const names = { name: 'Ada Lovelace', email: found.email }
  expect(screen.getByText(t('orders.upgrade.granted', names))).toBeVisible()
  expect(screen.queryByText(t('orders.upgrade.done', names))).toBeNull()

  answering(findMember, waiting)
  await user.type(field(), found.email)
  await user.click(submit())
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(waits)).toBeVisible()
  expect(dialog.queryByRole('button', confirm)).toBeNull()
})

test('an administrator whose right is pending is told so, and not that they have none', async () => {
  await signedIn({ waitingRights: { ...aMember, isWriteAccessAdmin: true, needs: ['password'] } })
  await open(false)
  expect(screen.getByText(t('orders.upgrade.notYet'))).toBeVisible()
  expect(screen.queryByText(t('orders.upgrade.notAllowed'))).toBeNull()
})

// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getMember, updateMember, type User } from '#contract/people/members.ts'
import { expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { ProfileEditor } from './profile-editor.tsx'

const t = wordsOf('en')
const saved: User = {
  _id: '0198f0a0-0000-7000-8000-000000000001',
  id: '0198f0a0-0000-7000-8000-000000000001',
  email: 'member@example.com',
  displayName: 'Wei Chen',
  firstName: 'Wei',
  midName: '',
  lastName: 'Chen',
  homePhone: '',
  workPhone: '',
  mobile: '',
  workEmail: '',
  active: true,
  personalMember: true,
  isWriteAccessAdmin: false,
  manageNews: 0,
  manageEmployee: 0,
  manageFinance: 0,
  manageCoins: 0,
  memberSince: '2026-01-02T03:04:05.000Z',
  lastUpdated: '2026-01-02T03:04:05.000Z',
}
/** Saved by another window in the meantime. */
const elsewhere: User = {
  ...saved,
  firstName: 'Ada',
  lastName: 'Lovelace',
  lastUpdated: '2026-02-03T04:05:06.000Z',
}

/** The label of a field says whether it is optional. */
const field = (label: string) => screen.getByLabelText((text) => text.startsWith(t(label)))
const firstName = () => field('account.profile.firstName')
const button = (label: string) => screen.getByRole('button', { name: t(label) })
const save = () => button('account.profile.save')

async function edit() {
  await signedIn()
  const outcomes: { saved?: User; cancelled?: User }[] = []
  const { user } = show(
    <ProfileEditor
      user={saved}
      onSaved={(kept) => outcomes.push({ saved: kept })}
      onCancel={(latest) => outcomes.push({ cancelled: latest })}
    />,
  )
  const type = async (label: string, text: string) => {
    await user.clear(field(label))
    await user.type(field(label), text)
  }
  return { user, outcomes, type }
}

test('the form starts with the saved values and focuses its first field', async () => {
  await edit()
  await waitFor(() => expect(field('account.profile.displayName')).toHaveFocus())
  expect(firstName()).toHaveValue('Wei')
  expect(field('account.profile.personalMember')).toBeChecked()
})

test('sends only changes, with the version they are based on, and the button is busy', async () => {
  const kept = { ...saved, firstName: 'Grace' }
  const release = holding(updateMember, kept)
  const { user, outcomes, type } = await edit()
  await type('account.profile.firstName', 'Grace')
  await user.click(save())
  expect(button('forms.saving')).toBeDisabled()
  expect(button('forms.cancel')).toBeDisabled()
  release()
  await waitFor(() => expect(outcomes).toEqual([{ saved: kept }]))
  expect(callsOf(updateMember).map(({ body }) => body)).toEqual([
    { _id: saved.id, lastUpdated: saved.lastUpdated, firstName: 'Grace' },
  ])
})

test('an unchanged form is saved without a call', async () => {
  const { user, outcomes } = await edit()
  await user.click(save())
  await waitFor(() => expect(outcomes).toEqual([{ saved }]))
  expect(callsOf(updateMember)).toEqual([])
})

test('an invalid email address disables the button, and both the field and the line at the button say so', async () => {
  const { user, type } = await edit()
  await type('forms.email.label', 'nobody')
  await user.tab()
  expect(field('forms.email.label')).toHaveAttribute('aria-invalid', 'true')
  expect(save()).toBeDisabled()
  expect(save()).toHaveAccessibleDescription(t('forms.wrong', { fields: t('forms.email.label') }))
})

test.each([
  ['refused', () => refusing(updateMember, 'rate_limited', { message: 'Later, please.' }), 'Later, please.'],
  ['lost', () => unreachable(updateMember), t('errors.offline')],
])('a save that was %s is announced, keeps the input, and can be repeated', async (_, fail, alert) => {
  fail()
  const { user, outcomes, type } = await edit()
  await type('account.profile.firstName', 'Grace')
  await user.click(save())
  await expectAlert(`${t('account.profile.loadFailed')} ${alert}`)
  expect(firstName()).toHaveValue('Grace')
  expect(outcomes).toEqual([])
  const kept = { ...saved, firstName: 'Grace' }
  answering(updateMember, kept)
  await user.click(button('forms.retry'))
  await waitFor(() => expect(outcomes).toEqual([{ saved: kept }]))
})

test('a problem found by the server is shown at its field, which gets the focus', async () => {
  const errors = [{ path: 'mobile', code: 'invalid' as const, message: 'No such number.' }]
  refusing(updateMember, 'validation_failed', { errors })
  const { user, type } = await edit()
  await type('account.profile.mobile', '+1 555 0100')
  await user.click(save())
  await waitFor(() => expect(field('account.profile.mobile')).toHaveFocus())
  expect(field('account.profile.mobile')).toHaveAccessibleDescription(
    expect.stringContaining('No such number.'),
  )
  expect(field('account.profile.mobile')).toHaveValue('+1 555 0100')
})

test('Cancel saves nothing and keeps the saved values', async () => {
  const { user, outcomes, type } = await edit()
  await type('account.profile.firstName', 'Grace')
  await user.click(button('forms.cancel'))
  expect(outcomes).toEqual([{ cancelled: saved }])
  expect(callsOf(updateMember)).toEqual([])
})

const side = (label: string, which: 'mine' | 'theirs') =>
  within(screen.getByRole('group', { name: t(label) })).getByRole('radio', {
    name: new RegExp(t(`account.conflict.${which}`)),
  })

/** Grace was typed here; Ada and Lovelace were saved elsewhere. */
async function conflict() {
  refusing(updateMember, 'conflict')
  answering(getMember, elsewhere)
  const editing = await edit()
  await editing.type('account.profile.firstName', 'Grace')
  await editing.user.click(save())
  await expectAlert(t('account.conflict.heading'))
  return editing
}

test('values saved by another window appear next to the typed ones, field by field', async () => {
  await conflict()
  const first = within(screen.getByRole('group', { name: t('account.profile.firstName') }))
  expect(first.getByText('Grace')).toBeVisible()
  expect(first.getByText('Ada')).toBeVisible()
  // Fields edited here are preselected as typed, untouched fields as saved.
  expect(side('account.profile.firstName', 'mine')).toBeChecked()
  expect(side('account.profile.lastName', 'theirs')).toBeChecked()
  expect(screen.queryByRole('group', { name: t('account.profile.mobile') })).toBeNull()
})

test('the choice between the two is saved against the newer version', async () => {
  const { user, outcomes } = await conflict()
  const kept = { ...elsewhere, lastName: 'Chen' }
  answering(updateMember, kept)
  await user.click(side('account.profile.firstName', 'theirs'))
  await user.click(side('account.profile.lastName', 'mine'))
  await user.click(button('account.conflict.save'))
  await waitFor(() => expect(outcomes).toEqual([{ saved: kept }]))
  expect(callsOf(updateMember)[1]!.body).toEqual({
    _id: saved.id,
    lastUpdated: elsewhere.lastUpdated,
    lastName: 'Chen',
  })
})

test("a choice that can't be saved is announced and kept", async () => {
  const { user } = await conflict()
  unreachable(updateMember)
  await user.click(side('account.profile.lastName', 'mine'))
  await user.click(button('account.conflict.save'))
  await expectAlert(`${t('account.profile.loadFailed')} ${t('errors.offline')}`)
  expect(side('account.profile.lastName', 'mine')).toBeChecked()
  expect(side('account.profile.firstName', 'mine')).toBeChecked()
  expect(button('forms.retry')).toBeEnabled()
})

test('a third save in the meantime asks again, with the newest values and the choices made here', async () => {
  const { user } = await conflict()
  answering(getMember, { ...elsewhere, firstName: 'Mary', lastUpdated: '2026-03-04T05:06:07.000Z' })
  await user.click(button('account.conflict.save'))
  const first = within(screen.getByRole('group', { name: t('account.profile.firstName') }))
  expect(await first.findByText('Mary')).toBeVisible()
  expect(first.getByText('Grace')).toBeVisible()
})

test('going back to the form keeps the choice', async () => {
  const { user } = await conflict()
  await user.click(button('account.conflict.back'))
  expect(firstName()).toHaveValue('Grace')
  expect(field('account.profile.lastName')).toHaveValue('Lovelace')
})

test('Cancel in the choice continues with the currently saved values', async () => {
  const { user, outcomes } = await conflict()
  await user.click(button('forms.cancel'))
  expect(outcomes).toEqual([{ cancelled: elsewhere }])
})

test('a save whose answer was lost is recognized as done when repeated', async () => {
  refusing(updateMember, 'conflict')
  const kept = { ...saved, firstName: 'Grace', lastUpdated: '2026-02-03T04:05:06.000Z' }
  answering(getMember, kept)
  const { user, outcomes, type } = await edit()
  await type('account.profile.firstName', 'Grace')
  await user.click(save())
  await waitFor(() => expect(outcomes).toEqual([{ saved: kept }]))
})

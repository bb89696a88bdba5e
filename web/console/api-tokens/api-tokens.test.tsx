// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  createApiToken,
  listApiTokens,
  revokeApiToken,
  rotateApiToken,
  type ApiToken,
} from '#contract/people/api-tokens.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const secret = `coinsite_${'s'.repeat(49)}`
const token: ApiToken = {
  id: 'k',
  name: 'Accounting export',
  purpose: '',
  maker: { id: 'ada', name: 'Ada Sample' },
  isOwn: true,
  state: 'active',
  levels: { news: 0, employee: 0, finance: 2, coins: 0 },
  counting: { news: 0, employee: 0, finance: 1, coins: 0 },
  isReadOnly: true,
  addresses: ['198.51.100.0/24'],
  end: 'x7Qz',
  createdAt: '2036-05-01T10:00:00.000Z',
  expiresAt: '2036-08-01T10:00:00.000Z',
  rotatedAt: null,
  overlapUntil: null,
  formerUsedAt: null,
  lastUsed: { at: '2036-05-02T10:00:00.000Z', place: '198.51.100.0/24' },
  lastRefused: { at: '2036-05-03T10:00:00.000Z', place: '203.0.113.0/24', why: 'address' },
  revoked: null,
}

async function showTokens(tokens: ApiToken[], rights: object = { manageFinance: 1 }) {
  await signedIn(rights)
  answering(listApiTokens, tokens)
  return showPage('/console/api-tokens')
}
const press = async (user: { click: (element: Element) => Promise<void> }, name: string) =>
  user.click(await screen.findByRole('button', { name }))

test("the list shows a token's effective levels, and marks one that was tried from elsewhere", async () => {
  await showTokens([token])
  const row = (await screen.findByText(token.name)).closest('tr')!
  expect(row).toHaveTextContent('coinsite_…x7Qz')
  expect(row).toHaveTextContent(t('tokens.elsewhere'))
  expect(row).toHaveTextContent(t('tokens.counting', { levels: 'Finance: read' }))
  expect(row).toHaveTextContent('203.0.113.0/24')
  // Owners are shown only to administrators, who see other people's tokens.
  expect(screen.queryByRole('columnheader', { name: t('tokens.maker') })).toBeNull()
  expect(screen.queryByLabelText(t('tokens.whose'))).toBeNull()
})

test("an administrator sees owners, can revoke others’ tokens, and can't create new secrets for them", async () => {
  await showTokens([{ ...token, isOwn: false }], { isWriteAccessAdmin: true })
  const row = (await screen.findByText(token.name)).closest('tr')!
  expect(row).toHaveTextContent('Ada Sample')
  expect(within(row).queryByRole('button', { name: t('tokens.rotate.of', { name: token.name }) })).toBeNull()
  expect(within(row).getByRole('button', { name: t('tokens.revoke.of', { name: token.name }) })).toBeVisible()
})

test('a new token has a name and a level, offers no more than the owner has, and is shown once', async () => {
  const { user } = await showTokens([])
  answering(createApiToken, { token, secret })
  await press(user, t('tokens.make'))
  const dialog = within(await screen.findByRole('dialog', { name: t('tokens.make.go') }))
  expect(dialog.queryByLabelText(t('tokens.level.coins'))).toBeNull()
  expect(within(dialog.getByLabelText(t('tokens.level.finance'))).getAllByRole('option')).toHaveLength(2)
  await user.click(dialog.getByRole('button', { name: t('tokens.make.go') }))
  expect(dialog.getByText(t('tokens.levels.missing'))).toBeVisible()
  expect(callsOf(createApiToken)).toEqual([])
  await user.type(dialog.getByLabelText(t('tokens.name')), 'Accounting export')
  await user.selectOptions(dialog.getByLabelText(t('tokens.level.finance')), '1')
  await user.type(
    dialog.getByRole('textbox', { name: new RegExp(t('tokens.addresses')) }),
    '198.51.100.7, 2001:db8::/32',
  )
  await user.click(dialog.getByRole('button', { name: t('tokens.make.go') }))
  expect(await screen.findByDisplayValue(secret)).toHaveAttribute('readonly')
  expect(callsOf(createApiToken)).toMatchObject([
    {
      body: {
        name: 'Accounting export',
        levels: { news: 0, employee: 0, finance: 1, coins: 0 },
        isReadOnly: true,
        days: 90,
        addresses: ['198.51.100.7', '2001:db8::/32'],
      },
    },
  ])
  // The dialog must not close by accident.
  await user.keyboard('{Escape}')
  expect(screen.getByDisplayValue(secret)).toBeVisible()
  await press(user, t('tokens.secret.done'))
  await waitFor(() => expect(screen.queryByDisplayValue(secret)).toBeNull())
  expect(callsOf(listApiTokens).length).toBeGreaterThan(1)
})

test('a new secret says what happens to the old one, and revoking requires a reason', async () => {
  const { user } = await showTokens([token])
  answering(rotateApiToken, { token, secret })
  answering(revokeApiToken, { ...token, state: 'revoked' })
  await press(user, t('tokens.rotate.of', { name: token.name }))
  await user.selectOptions(await screen.findByLabelText(t('tokens.overlap')), '0')
  await press(user, t('tokens.rotate.go'))
  expect(await screen.findByText(t('tokens.rotate.over'))).toBeVisible()
  expect(callsOf(rotateApiToken)).toMatchObject([{ body: { overlapHours: 0 } }])
  await press(user, t('tokens.secret.done'))
  await press(user, t('tokens.revoke.of', { name: token.name }))
  await press(user, t('tokens.revoke.go'))
  expect(callsOf(revokeApiToken)).toEqual([])
  await user.type(await screen.findByLabelText(t('tokens.revoke.reason')), 'Lost.')
  await press(user, t('tokens.revoke.go'))
  await waitFor(() => expect(callsOf(revokeApiToken)).toMatchObject([{ body: { reason: 'Lost.' } }]))
})

test('while two secrets are valid, the list shows which is used', async () => {
  const former = '2036-05-04T10:00:00.000Z'
  const two = {
    ...token,
    lastUsed: null,
    rotatedAt: '2036-05-03T12:00:00.000Z',
    overlapUntil: '2036-05-10T12:00:00.000Z',
    formerUsedAt: former,
  }
  await showTokens([two, { ...two, id: 'l', name: 'Over', overlapUntil: null }])
  const rowOf = async (name: string) => (await screen.findByText(name)).closest('tr')!
  const row = await rowOf(token.name)
  expect(row).toHaveTextContent(t('tokens.unused.new'))
  expect(row).toHaveTextContent(t('tokens.used.former'))
  expect(row.querySelector(`time[datetime="${former}"]`)).toBeVisible()
  expect(await rowOf('Over')).not.toHaveTextContent(t('tokens.used.former'))
})

test('a token revoked because its owner lost access shows who changed the access, and no reason', async () => {
  const revoked = { at: '2036-05-04T10:00:00.000Z', by: 'Ada Admin', reason: '' }
  await showTokens([{ ...token, state: 'revoked', revoked }])
  const row = (await screen.findByText(token.name)).closest('tr')!
  expect(row.textContent).toMatch(/by Ada Admin(?!:)/)
})

test('the mark of a token tried from elsewhere disappears with a new secret, or when it is revoked', async () => {
  const later = '2036-05-04T10:00:00.000Z'
  await showTokens([
    token,
    { ...token, id: 'l', name: 'Renewed', rotatedAt: later },
    { ...token, id: 'm', name: 'Ended', state: 'revoked', revoked: { at: later, by: '', reason: 'Lost.' } },
  ])
  const rowOf = async (name: string) => (await screen.findByText(name)).closest('tr')!
  expect(await rowOf(token.name)).toHaveTextContent(t('tokens.elsewhere.help'))
  for (const name of ['Renewed', 'Ended']) {
    const row = await rowOf(name)
    expect(row).not.toHaveTextContent(t('tokens.elsewhere'))
    expect(row).not.toHaveTextContent(t('tokens.elsewhere.help'))
    expect(row).toHaveTextContent(t('tokens.refused'))
  }
})

// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listNeedsAttention } from '#contract/console/console-home.ts'
import { listMentions, markMentionSeen, type Mention } from '#contract/people/mentions.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const mention: Mention = {
  id: 'x1',
  about: 'order',
  of: 'o1',
  name: 'COIN-AAAAA',
  text: '@Me please call.',
  at: '2036-05-01T10:00:00.000Z',
  by: 'Clerk',
  seenAt: null,
}

async function onPage(rows: readonly Mention[], language: 'en' | 'cn' = 'en') {
  await signedIn({ manageFinance: 1 })
  answering(listMentions, [...rows])
  const page = await showPage('/console/mentions', language)
  await screen.findByRole('heading', { level: 1, name: wordsOf(language)('console.nav.mentions') })
  return page
}

test.each(['en', 'cn'] as const)('each mention leads to its record (%s)', async (language) => {
  const t = wordsOf(language)
  const others: Mention[] = [
    { ...mention, id: 'x2', about: 'member', of: 'm1', name: 'Anna', by: null },
    { ...mention, id: 'x3', about: 'kyc', of: 'k1', name: 'Sample Person', seenAt: mention.at },
    { ...mention, id: 'x4', about: 'ambassador-application', of: 'a1', name: 'Ada' },
  ]
  await onPage([mention, ...others], language)
  const link = async (name: string) => screen.findByRole('link', { name: new RegExp(name) })
  expect(await link('COIN-AAAAA')).toHaveAttribute('href', '/console/orders/o1')
  expect(await link('Anna')).toHaveAttribute('href', '/console/members/m1')
  expect((await link('Sample Person')).getAttribute('href')).toContain('k1')
  expect(await link('Ada')).toHaveAttribute('href', '/console/ambassadors/applications/a1')
  expect(screen.getByText(t('console.formerColleague'))).toBeVisible()
  expect(screen.getAllByRole('button', { name: /COIN|Anna|Ada/ })).toHaveLength(3)
})

test('a mention is marked as read, or the row says why not', async () => {
  const t = wordsOf('en')
  answering(listNeedsAttention, [])
  refusing(markMentionSeen, 'unavailable')
  const { user } = await onPage([mention])
  const name = t('consoleHome.mentions.markNamed', { name: mention.name })
  await user.click(await screen.findByRole('button', { name }))
  expect(await within(screen.getByRole('table')).findByRole('alert')).toBeVisible()
  answering(markMentionSeen, { seen: true })
  answering(listMentions, [{ ...mention, seenAt: mention.at }])
  await user.click(screen.getByRole('button', { name }))
  await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull())
  expect(callsOf(markMentionSeen).at(-1)).toMatchObject({ params: { id: 'x1' } })
})

test('without mentions, the page says how to write one', async () => {
  const t = wordsOf('en')
  await onPage([])
  expect(await screen.findByText(t('consoleHome.mentions.none.help'))).toBeVisible()
})

// @vitest-environment happy-dom
import axe from 'axe-core'
import { screen, waitFor } from '@testing-library/react'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { checkOfficial, type OfficialAnswer } from '#contract/publishing/official.ts'
import { ownBrand } from '#tests/own-brand.ts'
import { brandOf } from '#tests/setup/site-content.ts'
import { show, showPage } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { qrPath } from '../kernel/ui/qr-path.ts'
import { Answer } from './answer.tsx'

const t = wordsOf('en')
const disguised: OfficialAnswer = {
  verdict: 'unknown',
  kind: 'link',
  shown: 'https://ours.example@evil.test',
  leadsTo: 'evil.test',
  isDisguised: true,
  official: null,
  known: null,
  signs: [{ sign: 'user_info', detail: 'ours.example', ours: '' }],
}
const field = () => screen.getByRole('textbox', { name: t('official.form.label') })
const submit = () => screen.getByRole('button', { name: t('official.form.submit') })

async function expectNoViolation(container: HTMLElement) {
  // Colors and sizes can only be checked in a browser.
  const rules = { 'color-contrast': { enabled: false }, region: { enabled: false } }
  const { violations } = await axe.run(container, { rules })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

test('shows the result of a call, focuses it, and links nothing in it', async () => {
  answering(checkOfficial, disguised)
  const { user, container } = await showPage('/official')
  await user.type(field(), 'https://ours.example@evil.test')
  await user.click(submit())
  const heading = await screen.findByRole('heading', { name: t('official.disguised.heading') })
  await waitFor(() => expect(heading).toHaveFocus())
  expect(callsOf(checkOfficial)).toMatchObject([{ body: { text: 'https://ours.example@evil.test' } }])
  expect(location.href).not.toContain('evil')
  expect(screen.getByText(t('official.sign.user_info', { detail: 'ours.example', ours: '' }))).toBeVisible()
  for (const link of container.querySelectorAll('a[href]'))
    expect(link.getAttribute('href')).toMatch(
      new RegExp(`^(mailto:${ownBrand.email.replaceAll('.', '[.]')}|/[.]well-known/official[.]json)$`),
    )
  await expectNoViolation(container)
})

test('the form works without JavaScript', async () => {
  const { container } = await showPage('/official')
  const form = container.querySelector('form')!
  expect([form.method, form.getAttribute('action')]).toEqual(['post', '/official'])
  expect(field()).toHaveAttribute('name', 'text')
  expect(field()).not.toHaveAttribute('maxlength')
})

test('refusals of empty, long, and frequent requests are sentences', async () => {
  const { user } = await showPage('/official')
  await user.click(submit())
  expect(screen.getByText(t('official.form.empty'))).toBeVisible()
  await user.click(field())
  await user.paste('x'.repeat(2001))
  await user.click(submit())
  expect(screen.getByText(/^This is longer than 2,?000 characters/)).toBeVisible()
  expect(callsOf(checkOfficial)).toEqual([])
  refusing(checkOfficial, 'rate_limited')
  await user.clear(field())
  await user.type(field(), 'x')
  await user.click(submit())
  await waitFor(() => expect(screen.getAllByRole('alert').some((each) => each.textContent !== '')).toBe(true))
})

test.each([
  [
    {
      ...disguised,
      verdict: 'official',
      isDisguised: false,
      signs: [],
      official: { role: 'site', name: '', value: 'https://ours.example' },
    },
    'official.official.heading',
  ],
  [
    {
      ...disguised,
      verdict: 'false',
      known: { value: 'evil.test', note: 'A note', since: '2036-05-01T00:00:00.000Z' },
    },
    'official.false.heading',
  ],
  [{ ...disguised, isDisguised: false, kind: 'text', leadsTo: null, signs: [] }, 'official.unknown.heading'],
] as const)('each answer says so in its heading, in both languages', async (answer, heading) => {
  const { container, speakIn } = show(<Answer answer={answer as unknown as OfficialAnswer} />)
  expect(screen.getByRole('heading', { name: t(heading) })).toBeVisible()
  await expectNoViolation(container)
  speakIn('cn')
  expect(screen.getByRole('heading', { name: wordsOf('cn')(heading) })).toBeVisible()
})

test('look-alike letters are marked and numbered, and the host is shown in Punycode', async () => {
  const answer: OfficialAnswer = {
    ...disguised,
    shown: 'https://c\u043ein.example',
    leadsTo: 'c\u043ein.example',
    signs: [{ sign: 'homograph', detail: 'c\u043ein.example', ours: 'coin.example' }],
  }
  const { container } = show(<Answer answer={answer} />)
  expect([...container.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
    '\u043e',
    '\u043e',
  ])
  expect(screen.getByText('(xn--cin-sed.example)')).toBeVisible()
  expect(screen.getByText(/\u043e U\+043E/)).toBeVisible()
  await expectNoViolation(container)
})

test.each([
  [{ isOpen: true, isAlike: false }, 'official.order.open.heading'],
  [{ isOpen: false, isAlike: false }, 'official.order.closed.heading'],
  [{ isOpen: true, isAlike: true }, 'official.disguised.heading'],
] as const)(
  'an address of a member’s own order is identified, with a link to the order: %j',
  (state, heading) => {
    const unknown: OfficialAnswer = {
      ...disguised,
      kind: 'coin',
      isDisguised: false,
      leadsTo: null,
      signs: [],
    }
    show(<Answer answer={unknown} ownOrder={{ orderId: 'o1', reference: 'ABC-1A2B3', ...state }} />)
    expect(screen.getByRole('heading', { name: t(heading) })).toBeVisible()
    expect(screen.getByRole('link', { name: 'ABC-1A2B3' })).toHaveAttribute(
      'href',
      '/account/account-details?order=o1',
    )
  },
)

test('shows the address of the signed list as a QR code, and how to recognize it', async () => {
  const { container } = await showPage('/official')
  const code = screen.getByRole('img', { name: t('official.list.qr') })
  const { data } = encode(`${brandOf('en').origin}/.well-known/official.json`, { border: 4 })
  expect(code.querySelector('path')).toHaveAttribute('d', qrPath(data))
  expect(container).toHaveTextContent(t('official.list.scan', { site: `${brandOf('en').origin}/` }))
})

// @vitest-environment happy-dom
import '@testing-library/jest-dom/vitest'
import { screen, within } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ReactNode } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { name, ticker } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import type { MessageKey } from './message-key.ts'
import { say } from './current-language.ts'
import { useMessages, FormattedMessage, MessagesProvider, type UsedMessages } from './messages.tsx'

const setLanguage = () => Promise.resolve()

/** Renders a message under an existing layout key. */
function show(message: string, part: ReactNode, language: Language = 'en'): string {
  const messages = { 'layout.skip': message }
  return renderToStaticMarkup(
    <MessagesProvider value={{ language, messages, setLanguage }}>{part}</MessagesProvider>,
  )
}

/** Renders a message with tags in a page. */
function showTags(message: string, part: ReactNode): HTMLElement {
  document.body.innerHTML = show(message, part)
  return document.body
}

type Values = Record<string, string | number>

function Said({ values }: { values?: Values }) {
  const { t } = useMessages()
  return (t as (key: string, values?: Values) => string)('layout.skip', values)
}

const SaidWithTags = FormattedMessage as (props: { k: string; values: Values; tags: object }) => ReactNode

const link = (children: ReactNode) => <a href="/x">{children}</a>

test('brand and ticker are available in every message', () => {
  expect(show('{brand} and {ticker}', <Said />)).toBe(`${name} and ${ticker}`)
})

test("values replace their placeholders, with numbers in the locale's format", () => {
  expect(show('{count} of {who}', <Said values={{ count: 1234.5, who: 'all' }} />)).toBe('1,234.5 of all')
  expect(show('{year}', <Said values={{ year: '2026' }} />)).toBe('2026')
})

test('a value is not read as a placeholder', () => {
  expect(show('{one} two', <Said values={{ one: '{two}' }} />)).toBe('{two} two')
})

test('a missing value is an error in development, but readers get the sentence', () => {
  const sentence = () => show('{one} {two}', <Said values={{ one: 1 }} />)
  expect(sentence).toThrow('no value for {two} in: {one} {two}')
  vi.stubEnv('DEV', false)
  onTestFinished(() => void vi.unstubAllEnvs())
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(sentence()).toBe('1 {two}')
  expect(complain).toHaveBeenCalledExactlyOnceWith('no value for {two} in: {one} {two}')
})

test('a message compiles only with exactly its values', () => {
  const sentences = (t: UsedMessages['t'], either: 'forms.missing' | 'forms.loading', any: MessageKey) => [
    t('forms.loading'),
    t('forms.missing', { fields: 'x' }),
    t(either, { fields: 'x' }),
    <FormattedMessage key="a" k="help.contact.text" values={{ email: 'x' }} />,
    // @ts-expect-error its value is missing
    t('forms.missing'),
    // @ts-expect-error its value is misspelt
    t('forms.missing', { field: 'x' }),
    // @ts-expect-error it takes no second value
    t('forms.missing', { fields: 'x', count: 1 }),
    // @ts-expect-error it takes no values
    t('forms.loading', { fields: 'x' }),
    // @ts-expect-error one of the two takes a value
    t(either),
    // @ts-expect-error the values are of an unknown type
    t('forms.missing', {} as Values),
    // @ts-expect-error the key is of an unknown type
    t(any, { fields: 'x' }),
    // @ts-expect-error its value is missing
    <FormattedMessage key="b" k="help.contact.text" />,
    // @ts-expect-error it takes no values
    <FormattedMessage key="c" k="layout.skip" values={{ email: 'x' }} />,
    // @ts-expect-error its value is missing
    say('forms.missing'),
  ]
  expect(sentences).toBeTypeOf('function')
})

test('a missing message shows its key', () => {
  const spoken = { language: 'en' as const, messages: {}, setLanguage }
  expect(
    renderToStaticMarkup(
      <MessagesProvider value={spoken}>
        <Said />
      </MessagesProvider>,
    ),
  ).toBe('layout.skip')
})

test("a tag's function receives its text with values", () => {
  const shown = showTags(
    'Read <link>the {what}</link>.',
    <SaidWithTags k="layout.skip" values={{ what: 'terms' }} tags={{ link }} />,
  )
  expect(shown).toHaveTextContent(/^Read the terms\.$/)
  expect(screen.getByRole('link', { name: 'the terms' })).toHaveAttribute('href', '/x')
})

test('tags can be nested and repeated', () => {
  const strong = (children: ReactNode) => <strong>{children}</strong>
  const shown = showTags(
    '<link>a <strong>b</strong></link> <link>c</link>',
    <FormattedMessage k="layout.skip" tags={{ link, strong }} />,
  )
  expect(shown).toHaveTextContent(/^a b c$/)
  const [first] = screen.getAllByRole('link', { name: /^(a b|c)$/ })
  expect(screen.getAllByRole('link')).toEqual([first, screen.getByRole('link', { name: 'c' })])
  expect(within(first!).getByRole('strong')).toHaveTextContent(/^b$/)
})

test('markup in a value and an unclosed tag stay text', () => {
  showTags('<link>{who}</link>', <SaidWithTags k="layout.skip" values={{ who: '<b>' }} tags={{ link }} />)
  expect(screen.getByRole('link', { name: '<b>' }).children).toHaveLength(0)
  const shown = showTags('a <link>b', <FormattedMessage k="layout.skip" tags={{ link }} />)
  expect(shown.textContent).toBe('a <link>b')
  expect(screen.queryByRole('link')).toBeNull()
})

import { renderToStaticMarkup } from 'react-dom/server'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { name, ticker } from '#content/brand.json'
import type { Language } from '#contract/fields.ts'
import { useWords, Words, WordsProvider } from './words.tsx'

const setLanguage = () => Promise.resolve()

/** Two keys of the layout stand in for messages of every kind. */
function show(message: string, part: ReactNode, language: Language = 'en'): string {
  const messages = { 'layout.skip': message }
  return renderToStaticMarkup(
    <WordsProvider value={{ language, messages, setLanguage }}>{part}</WordsProvider>,
  )
}

function Said({ values }: { values?: Record<string, string | number> }) {
  const { t } = useWords()
  return t('layout.skip', values)
}

const link = (children: ReactNode) => <a href="/x">{children}</a>

test('brand and ticker are known everywhere', () => {
  expect(show('{brand} and {ticker}', <Said />)).toBe(`${name} and ${ticker}`)
})

test('values take their place, numbers in the way of the language', () => {
  expect(show('{count} of {who}', <Said values={{ count: 1234.5, who: 'all' }} />)).toBe('1,234.5 of all')
  expect(show('{year}', <Said values={{ year: '2026' }} />)).toBe('2026')
})

test('a value nobody gives stays visible, and a value is not read as a placeholder', () => {
  expect(show('{one} {two}', <Said values={{ one: '{two}' }} />)).toBe('{two} {two}')
})

test('a message that is missing shows its key', () => {
  const spoken = { language: 'en' as const, messages: {}, setLanguage }
  expect(
    renderToStaticMarkup(
      <WordsProvider value={spoken}>
        <Said />
      </WordsProvider>,
    ),
  ).toBe('layout.skip')
})

test('a tag is handed its words, with values in them', () => {
  expect(
    show(
      'Read <link>the {what}</link>.',
      <Words k="layout.skip" values={{ what: 'terms' }} tags={{ link }} />,
    ),
  ).toBe('Read <a href="/x">the terms</a>.')
})

test('tags may stand in tags and stand twice', () => {
  const strong = (children: ReactNode) => <strong>{children}</strong>
  expect(
    show(
      '<link>a <strong>b</strong></link> <link>c</link>',
      <Words k="layout.skip" tags={{ link, strong }} />,
    ),
  ).toBe('<a href="/x">a <strong>b</strong></a> <a href="/x">c</a>')
})

test('markup in a value stays text, and so does a tag that is not closed', () => {
  expect(show('<link>{who}</link>', <Words k="layout.skip" values={{ who: '<b>' }} tags={{ link }} />)).toBe(
    '<a href="/x">&lt;b&gt;</a>',
  )
  expect(show('a <link>b', <Words k="layout.skip" tags={{ link }} />)).toBe('a &lt;link&gt;b')
})

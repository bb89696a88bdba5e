import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import news from '#content/messages/en/news.json'
import newsroom from '#content/messages/en/newsroom.json'
import { WordsProvider } from '../../i18n/words.tsx'
import { Comparison, type ComparedText } from './comparison.tsx'

const text = (fields: Partial<ComparedText>): ComparedText => ({
  title: 'A title',
  category: 'Events',
  language: 'en',
  content: '<p>One</p>',
  ...fields,
})

const show = (before: ComparedText, after: ComparedText) =>
  renderToStaticMarkup(
    <WordsProvider
      value={{ language: 'en', messages: { ...news, ...newsroom }, setLanguage: async () => {} }}
    >
      <Comparison before={{ name: 'Earlier', text: before }} after={{ name: 'Later', text: after }} />
    </WordsProvider>,
  )

test('words that went and words that came are marked, and said to be', () => {
  const html = show(
    text({ content: '<p>On Monday at noon</p>' }),
    text({ content: '<p>On Friday at noon</p>' }),
  )
  expect(html).toMatch(new RegExp(`<del>.*${newsroom['newsroom.compare.removed']}.*Monday.*</del>`))
  expect(html).toMatch(new RegExp(`<ins>.*${newsroom['newsroom.compare.added']}.*Friday.*</ins>`))
  expect(html).toContain('Earlier')
  expect(html).toContain('Later')
})

test('fields stand there only where they differ', () => {
  const html = show(text({}), text({ title: 'Another title', category: 'News' }))
  expect(html).toContain(news['news.form.title'])
  expect(html).toContain(news['news.form.category'])
  expect(html).not.toContain(news['news.form.language'])
  expect(html).not.toContain(news['news.form.content'])
})

test('two that are the same are said to be', () => {
  expect(show(text({}), text({}))).toContain(newsroom['newsroom.compare.same'])
})

test('what is far from any change is counted, not shown', () => {
  const many = Array.from({ length: 9 }, (_, n) => `<p>Paragraph ${n}</p>`).join('')
  const html = show(text({ content: `${many}<p>End</p>` }), text({ content: `${many}<p>Another end</p>` }))
  expect(html).toContain(newsroom['newsroom.compare.unchanged'].replace('{count}', '8'))
  expect(html).toContain('Paragraph 8')
  expect(html).not.toContain('Paragraph 3')
})

test('markup in a text is text', () => {
  const html = show(text({}), text({ content: '<p>&lt;img src=x onerror=alert(1)&gt;</p>' }))
  expect(html).not.toContain('<img')
})

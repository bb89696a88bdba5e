// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { Comparison, type ComparedText } from './comparison.tsx'

const t = wordsOf('en')
const text = (fields: Partial<ComparedText>): ComparedText => ({
  title: 'A title',
  category: 'Events',
  language: 'en',
  content: '<p>One</p>',
  ...fields,
})

const compare = (before: ComparedText, after: ComparedText) =>
  show(<Comparison before={{ name: 'Earlier', text: before }} after={{ name: 'Later', text: after }} />)

test('marks removed and added words, also for screen readers', () => {
  const { container } = compare(
    text({ content: '<p>On Monday at noon</p>' }),
    text({ content: '<p>On Friday at noon</p>' }),
  )
  expect(screen.getByRole('deletion')).toHaveTextContent(
    new RegExp(`${t('newsroom.compare.removed')}.*Monday`),
  )
  expect(screen.getByRole('insertion')).toHaveTextContent(
    new RegExp(`${t('newsroom.compare.added')}.*Friday`),
  )
  expect(container).toHaveTextContent('Earlier')
  expect(container).toHaveTextContent('Later')
})

test('shows fields only if they differ', () => {
  const { container } = compare(text({}), text({ title: 'Another title', category: 'News' }))
  expect(container).toHaveTextContent(t('news.form.title'))
  expect(container).toHaveTextContent(t('news.form.category'))
  expect(container).not.toHaveTextContent(t('news.form.language'))
  expect(container).not.toHaveTextContent(t('news.form.content'))
})

test('says so if two versions are identical', () => {
  compare(text({}), text({}))
  expect(screen.getByText(t('newsroom.compare.same'))).toBeVisible()
})

test('unchanged lines far from a change are counted, not shown', () => {
  const many = Array.from({ length: 9 }, (_, n) => `<p>Paragraph ${n}</p>`).join('')
  const { container } = compare(
    text({ content: `${many}<p>End</p>` }),
    text({ content: `${many}<p>Another end</p>` }),
  )
  expect(screen.getByText(t('newsroom.compare.unchanged', { count: 8 }))).toBeVisible()
  expect(container).toHaveTextContent('Paragraph 8')
  expect(container).not.toHaveTextContent('Paragraph 3')
})

test('markup in a text stays text', () => {
  compare(text({}), text({ content: '<p>&lt;img src=x onerror=alert(1)&gt;</p>' }))
  expect(screen.queryByRole('img')).toBeNull()
})

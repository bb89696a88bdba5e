// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { allFacts } from '#tests/setup/site-content.ts'
import { show, showPage } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { homeFacts } from './home-facts.ts'
import { SectionLinks } from './section-links.tsx'

const t = wordsOf('en')
const linksIn = () =>
  within(screen.getByRole('navigation', { name: t('home.sections.label'), hidden: true })).getAllByRole(
    'link',
    {
      hidden: true,
    },
  )
const targets = () => linksIn().map((link) => link.getAttribute('href'))

test('links to sections in the order of the page', async () => {
  const { container } = await showPage('/')
  const sections = targets().map((href) => container.querySelector(href!))
  expect(sections).not.toContain(null)
  expect(sections.length).toBeGreaterThan(7)
  for (const [at, section] of sections.entries())
    if (at > 0)
      expect(sections[at - 1]!.compareDocumentPosition(section!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('has no links to sections without content', () => {
  const facts = homeFacts(allFacts, 'en')
  show(<SectionLinks {...facts} films={[]} team={[]} />)
  expect(targets()).toContain('#roadmap')
  expect(targets()).not.toContain('#films')
  expect(targets()).not.toContain('#team')
})

test('repeats the call to action at the end of the page with the same text and links', async () => {
  const { container } = await showPage('/')
  const call = (id: string) => {
    const section = container.querySelector(`#${id}`)!
    return [...section.querySelectorAll('h2, p, .badges a, a[rel=noopener]')].map(
      ({ textContent }) => textContent,
    )
  }
  expect(call('get-wallet').length).toBeGreaterThan(3)
  expect(call('wallet')).toEqual(expect.arrayContaining(call('get-wallet')))
})

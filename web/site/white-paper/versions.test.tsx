// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aWhitePaper } from '#tests/setup/one-announcement.ts'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { WhitePaperVersions } from '../white-paper-page.tsx'

const t = wordsOf('en')
const [older] = aWhitePaper.versions
const newer = { ...older!, id: 'second', version: '2.0', date: '2026-11-20' }

test('the current version says that its file is missing and whom to contact', async () => {
  show(<WhitePaperVersions paper={{ ...aWhitePaper, versions: [{ ...newer, files: [] }, older!] }} />)
  expect(await screen.findByText(/^Current version: 2\.0 \(.*\)\.$/)).toBeVisible()
  const mail = screen.getByRole('link', { name: aWhitePaper.issuer.email })
  expect(mail).toHaveAttribute('href', `mailto:${aWhitePaper.issuer.email}`)
  expect(screen.queryByText(t('whitePaper.versions.compare'))).toBeNull()
  // The only file belongs to the earlier version, below the notice that it is no longer valid.
  expect(screen.getByText(t('whitePaper.earlier.text'))).toBeVisible()
  expect(screen.getAllByText(t('whitePaper.versions.hash'))).toHaveLength(1)
})

test('with a file, there is no contact notice', async () => {
  show(<WhitePaperVersions paper={{ ...aWhitePaper, versions: [newer, older!] }} />)
  expect(await screen.findByText(t('whitePaper.versions.compare'))).toBeVisible()
  expect(screen.queryByRole('link', { name: aWhitePaper.issuer.email })).toBeNull()
})

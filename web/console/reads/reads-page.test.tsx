// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readReads, type Reads } from '#contract/publishing/reads.ts'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const reads: Reads = {
  from: '2036-05-01',
  to: '2036-05-03',
  today: '2036-05-03',
  dailySince: '2035-03-01',
  isCounting: true,
  total: 1240,
  days: [
    { day: '2036-05-01', reads: 200 },
    { day: '2036-05-02', reads: 1040 },
    { day: '2036-05-03', reads: 0 },
  ],
  items: [
    { kind: 'post', item: 'p1', title: '桥', language: 'cn', slug: 'bridge', reads: 900 },
    { kind: 'page', item: '/ambassadors/:slug', title: null, language: null, slug: null, reads: 200 },
    { kind: 'document', item: 'paper-en.pdf', title: 'White paper', language: 'en', slug: null, reads: 100 },
    { kind: 'post', item: 'p2', title: null, language: null, slug: null, reads: 40 },
  ],
  languages: [
    { language: 'cn', reads: 900 },
    { language: 'en', reads: 340 },
  ],
  referrers: [
    { host: '', reads: 1000 },
    { host: 'forum.example', reads: 200 },
    { host: 'other', reads: 40 },
  ],
}

async function show(answer: Partial<Reads> = {}) {
  await signedIn({ manageNews: 1 })
  answering(readReads, { ...reads, ...answer })
  return showPage('/console/reads')
}

const rowsOf = (caption: string) =>
  within(screen.getByRole('table', { name: caption }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )

test('shows reads by day, item, language, and referring site, with links to what can be opened', async () => {
  await show()
  const chart = await screen.findByRole('img')
  expect(chart).toHaveAccessibleName(/Total in this period: 1,240\. Most reads: 1,040 on .*2/)
  expect(rowsOf(t('reads.byItem'))).toEqual([
    ['桥', 'Post', '900'],
    ['/ambassadors/…', 'Page', '200'],
    ['White paper', 'Document', '100'],
    [t('reads.deleted'), 'Post', '40'],
  ])
  expect(rowsOf(t('reads.byReferrer'))).toEqual([
    [t('reads.referrer.none'), '1,000'],
    ['forum.example', '200'],
    [t('reads.referrer.other'), '40'],
  ])
  expect(rowsOf(t('reads.byLanguage')).map(([, count]) => count)).toEqual(['900', '340'])
  const links = within(screen.getByRole('table', { name: t('reads.byItem') })).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/cn/news/bridge',
    '/assets/pdfs/paper-en.pdf',
  ])
  expect(screen.queryByText(t('reads.off'))).toBeNull()
})

test('shows another period, and says that nothing was read or counted', async () => {
  await show({ total: 0, isCounting: false })
  await screen.findByText(t('reads.none'))
  expect(screen.getByText(t('reads.off'))).toBeVisible()
  answering(readReads, reads)
  fireEvent.change(screen.getByLabelText(t('reads.from')), { target: { value: '2036-04-01' } })
  await screen.findByRole('table', { name: t('reads.byItem') })
  expect(callsOf(readReads).at(-1)).toMatchObject({ query: { from: '2036-04-01', to: '2036-05-03' } })
})

test('says what is wrong with a period, and asks the server for nothing', async () => {
  await signedIn({ manageNews: 1 })
  await showPage('/console/reads?from=2034-01-01&to=2036-05-03')
  expect(await screen.findByText(t('reads.period.long', { days: 366 }))).toBeVisible()
  fireEvent.change(screen.getByLabelText(t('reads.from')), { target: { value: '2036-05-04' } })
  expect(await screen.findByText(t('reads.from.late'))).toBeVisible()
  expect(screen.getByLabelText(t('reads.from'))).toHaveAttribute('aria-invalid', 'true')
  expect(callsOf(readReads)).toEqual([])
})

test('says that the reads could not be loaded', async () => {
  await signedIn({ manageNews: 1 })
  refusing(readReads, 'unavailable')
  await showPage('/console/reads')
  await screen.findByText(t('reads.failed'))
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { SECOND } from '#contract/platform/durations.ts'
import { aPublisher, makeActiveMember, makePublisher, publisherSettings } from '#tests/setup/a-publisher.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { aProgramOf, aReader, expectWellMade, press, rowOf } from '#tests/setup/newsroom-screens.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

let product: Product
let program: Awaited<ReturnType<typeof aProgramOf>>
beforeAll(async () => {
  product = await startOnCopy(publisherSettings)
  await makePublisher(product)
  program = await aProgramOf(product)
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

test.each(languagesUnderTest('en'))(
  'in %s a draft is scheduled, and is published at its time',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const title = `Scheduled ${language}`
    const page = await aPublisher(product, language)
    await page.goto('/console/newsroom?new=post')
    await page.getByLabel(t('news.form.title')).fill(title)
    await page.getByLabel(t('news.form.category'), { exact: true }).selectOption('News')
    await page.getByRole('textbox', { name: t('news.form.content') }).fill('In good time')
    await press(page, t('newsroom.form.draft'))
    await page.waitForURL('**/newsroom?show=drafts')
    const row = rowOf(page, title)
    await row.getByRole('button', { name: t('newsroom.form.schedule') }).click()
    const dialog = page.getByRole('dialog')
    const time = dialog.getByLabel(t('newsroom.schedule.time'))
    await dialog.getByLabel(t('newsroom.schedule.zone')).selectOption('America/New_York')
    // 2027-03-14, 02:30: clocks in New York skip from two to three.
    await time.fill('2027-03-14T02:30')
    await press(page, t('newsroom.schedule.submit'))
    await dialog.getByText(t('newsroom.schedule.skipped', { zone: 'America/New York' })).waitFor()
    await time.fill('2027-03-14T03:30')
    expect(await dialog.textContent()).toContain('UTC−04:00')
    await expectWellMade(page)
    await press(page, t('newsroom.schedule.submit'))
    await expect.poll(() => row.count()).toBe(0)
    await page.getByRole('link', { name: t('newsroom.tab.scheduled'), exact: true }).click()
    await row.waitFor()
    expect(await row.textContent()).toContain('America/New York')

    const address = await row.getByRole('link', { name: title }).getAttribute('href')
    const id = new URL(address!, product.url).searchParams.get('edit')
    const reader = await aReader(product, language)
    await reader.goto('/news')
    expect(await reader.getByRole('main').textContent()).not.toContain(title)
    const publishAt = new Date(Date.now() + 2 * SECOND).toISOString()
    await program.ask(`admin/news/posts/${id}/schedule`, { publishAt, zone: 'UTC' })
    await expect
      .poll(async () => {
        await reader.goto('/news')
        return reader.getByRole('main').textContent()
      })
      .toContain(title)
  },
)

test.each(languagesUnderTest('cn'))('in %s versions are compared and restored', async (language) => {
  const t = wordsOf(language)
  const title = `Versions ${language}`
  const post = await program.post(language, title)
  await program.ask('announcements/updatePostById', {
    _id: post._id,
    title,
    category: post.category,
    language,
    content: '<p>The network opens on Friday</p>',
  })
  const page = await aPublisher(product, language)
  await page.goto('/console/newsroom')
  await rowOf(page, title)
    .getByRole('link', { name: t('newsroom.action.versions'), exact: true })
    .click()
  const version = (n: number) =>
    page.getByRole('listitem', { name: t('newsroom.versions.number', { n }), exact: true })
  await version(1)
    .getByRole('button', { name: t('newsroom.versions.compareNewest') })
    .click()
  await expect
    .poll(() => version(1).locator('del').allTextContents())
    .toEqual([expect.stringContaining('Monday')])
  expect(await version(1).locator('ins').allTextContents()).toEqual([expect.stringContaining('Friday')])
  await expectWellMade(page)
  await version(1)
    .getByRole('button', { name: t('newsroom.versions.restore') })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('newsroom.versions.restore') })
    .click()
  await version(3)
    .getByText(t('newsroom.versions.restoredFrom', { n: 1 }))
    .waitFor()
  const reader = await aReader(product, language)
  await reader.goto(`/news/${post.slug}`)
  expect(await reader.getByRole('article').textContent()).toContain('Monday')
})

test.each(languagesUnderTest('en'))(
  'in %s a visitor reads a draft by its preview link, until it is ended',
  async (language) => {
    const t = wordsOf(language)
    const title = `Previewed ${language}`
    await program.post(language, title, { status: 'draft' })
    const page = await aPublisher(product, language)
    await page.goto('/console/newsroom?show=drafts')
    await rowOf(page, title)
      .getByRole('button', { name: t('newsroom.action.preview') })
      .click()
    await press(page, t('newsroom.preview.make'))
    const link = await page.getByLabel(t('newsroom.preview.link'), { exact: true }).inputValue()
    await expectWellMade(page)

    const reader = await aReader(product, language)
    const answer = await reader.goto(link)
    expect(await answer!.text()).toContain('<meta name="robots" content="noindex">')
    await reader.getByText(t('preview.draft')).waitFor()
    expect(await reader.getByRole('heading', { level: 1 }).textContent()).toBe(title)
    await expectWellMade(reader)
    await press(page, t('newsroom.preview.end'))
    await page.getByText(t('newsroom.preview.ended')).waitFor()
    await reader.reload()
    await reader.getByText(t('preview.gone'), { exact: true }).waitFor()
    await expectWellMade(reader)
  },
)

test.each(languagesUnderTest('cn'))(
  'in %s the newsroom lists, unpublishes, publishes and restores',
  async (language) => {
    const t = wordsOf(language)
    const title = `Listed ${language}`
    await program.post(language, title)
    const page = await aPublisher(product, language)
    await page.goto('/console/newsroom')
    await page.getByRole('searchbox').fill(title)
    await page.keyboard.press('Enter')
    await page.waitForURL('**q=Listed**')
    await expect.poll(() => page.getByRole('main').getByRole('heading', { level: 2 }).count()).toBe(1)
    const row = rowOf(page, title)
    const step = async (action: string) => {
      await row.getByRole('button', { name: t(action) }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t(action) })
        .click()
    }
    await step('newsroom.action.unpublish')
    await row.getByText(t('newsroom.state.draft'), { exact: true }).waitFor()
    await step('newsroom.action.publish')
    await row.getByText(t('newsroom.state.published'), { exact: true }).waitFor()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await expectAccessible(page)
    }
    await expectToFit(page)
    await step('news.delete')
    await expect.poll(() => row.count()).toBe(0)
    await page.getByRole('button', { name: t('news.undo') }).click()
    await row.waitFor()
    await step('news.delete')
    await expect.poll(() => row.count()).toBe(0)
    await page.getByRole('link', { name: t('newsroom.tab.trash'), exact: true }).click()
    await row.getByText(t('newsroom.row.goes', { days: 30 })).waitFor()
    await row.getByRole('button', { name: t('newsroom.action.restore') }).click()
    await expect.poll(() => row.count()).toBe(0)
  },
)

test('a long list is loaded page by page', { tags: ['nightly'] }, async () => {
  const t = wordsOf('en')
  for (let n = 1; n <= 21; n += 1) await program.post('en', `One of many ${n}`, { status: 'draft' })
  const page = await aPublisher(product, 'en')
  await page.goto('/console/newsroom?q=One+of+many')
  const titles = page.getByRole('main').getByRole('heading', { level: 2 })
  await expect.poll(() => titles.count()).toBe(20)
  await press(page, t('newsroom.more'))
  await expect.poll(() => titles.count()).toBe(21)
  expect(await page.getByRole('button', { name: t('newsroom.more') }).count()).toBe(0)
})

test('a member without access to the newsroom is told so, and the page requests none of its data', async () => {
  const t = wordsOf('en')
  await makeActiveMember(product, 'reader@example.org')
  const page = await aPublisher(product, 'en', 'reader@example.org')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/console/newsroom')
  await page.getByText(t('console.forbidden')).waitFor()
  expect(asked.filter((url) => url.includes('/admin/news'))).toEqual([])
  expect(await page.getByRole('link', { name: t('console.nav.newsroom') }).count()).toBe(0)
})

test('visitors load neither the form nor its messages', async () => {
  const { page } = await aVisitor(product.url)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/news', { waitUntil: 'networkidle' })
  expect(asked.filter((url) => /post-form|newsroom|delete-post|editor/.test(url))).toEqual([])
})

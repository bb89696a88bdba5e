import { afterAll, beforeAll, expect, test } from 'vitest'
import { SECOND } from '#contract/platform/durations.ts'
import { aPublisher, makeActiveMember, makePublisher, publisherSettings } from '#tests/setup/a-publisher.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import { aProgramOf, aReader, choose, expectWellMade, press, rowOf } from '#tests/setup/newsroom-screens.ts'
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
    await page.waitForURL('**/newsroom?state=draft')
    const row = rowOf(page, title)
    await choose(page, row, t('newsroom.form.schedule'))
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
    await page.goto('/console/newsroom?show=scheduled')
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
  await choose(page, rowOf(page, title), t('newsroom.action.versions'))
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
    .getByRole('button', { name: t('newsroom.versions.restore.do') })
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
    await choose(page, rowOf(page, title), t('newsroom.action.preview'))
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
    await page.waitForURL('**q=Listed**')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    const row = rowOf(page, title)
    const step = async (action: string, label: string) => {
      await choose(page, row, t(action))
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t(label) })
        .click()
    }
    await step('newsroom.action.unpublish', 'newsroom.unpublish.do')
    await row.getByText(t('newsroom.state.draft'), { exact: true }).waitFor()
    await step('newsroom.action.publish', 'newsroom.publish.do')
    await row.getByText(t('newsroom.state.published'), { exact: true }).waitFor()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await expectAccessible(page)
    }
    await expectToFit(page)
    await step('newsroom.action.delete', 'news.delete')
    await expect.poll(() => row.count()).toBe(0)
    await page.getByRole('button', { name: t('news.undo') }).click()
    await row.waitFor()
    await step('newsroom.action.delete', 'news.delete')
    await expect.poll(() => row.count()).toBe(0)
    await page.getByRole('link', { name: t('newsroom.tab.trash'), exact: true }).click()
    await row.getByText(t('newsroom.row.goes', { days: 30 })).waitFor()
    await choose(page, row, t('newsroom.action.restore'))
    await expect.poll(() => row.count()).toBe(0)
  },
)

test.each(languagesUnderTest('en'))(
  'in %s several posts are changed at once, by keyboard',
  async (language) => {
    const t = wordsOf(language)
    const titles = ['one', 'two', 'three'].map((name) => `Together ${name} ${language}`)
    for (const title of titles) await program.post(language, title)
    const page = await aPublisher(product, language)
    await page.goto(`/console/newsroom?q=Together&in=${language}`)
    await rowOf(page, titles[0]!).waitFor()
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await press(page, t('newsroom.bulk.category'))
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel(t('newsroom.column.category'))
      .selectOption({ label: t('news.category.partnerships') })
    await dialog.getByText(t('console.list.bulk.will', { count: 2 })).waitFor()
    await expectWellMade(page)
    await dialog.getByRole('button', { name: t('newsroom.bulk.category.confirm') }).click()
    await page.getByRole('button', { name: t('console.undo'), exact: true }).waitFor()
    const changed = page.locator('tbody tr').filter({ hasText: t('news.category.partnerships') })
    await expect.poll(() => changed.count(), { timeout: 30 * SECOND }).toBe(2)

    const reader = await aReader(product, language)
    await reader.goto('/news')
    expect(await reader.getByRole('main').textContent()).toContain(titles[2])
    await page.getByRole('checkbox', { name: t('console.list.selectAll') }).check()
    await press(page, t('newsroom.bulk.unpublish'))
    await dialog.getByRole('button', { name: t('newsroom.bulk.unpublish.confirm') }).click()
    const drafts = page.locator('tbody tr').filter({ hasText: t('newsroom.state.draft') })
    await expect.poll(() => drafts.count(), { timeout: 30 * SECOND }).toBe(3)
    await reader.reload()
    expect(await reader.getByRole('main').textContent()).not.toContain(titles[2])
  },
)

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

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Announcement } from '#contract/announcements.ts'
import { SECOND } from '#contract/durations.ts'
import { languages, type Language } from '#contract/fields.ts'
import { goodPassword } from '#tests/builders.ts'
import { aPublisher, makePublisher, publisherEmail, publisherSettings } from '#tests/setup/a-publisher.ts'
import { aVisitor, closeBrowser } from '#tests/setup/browser.ts'
import { expectAccessible, expectToFit } from '#tests/setup/judge-page.ts'
import { startProduct, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

let product: Product
let token: string
beforeAll(async () => {
  product = await startProduct({ settings: publisherSettings })
  await makePublisher(product)
  const answer = await product.post('members/login', { email: publisherEmail, password: goodPassword })
  token = ((await answer.json()) as { token: string }).token
})
afterAll(async () => {
  await closeBrowser()
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

/** A call of the publisher's own program, beside their browser. */
async function asPublisher<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await product.post(path, body, { 'x-access-token': token })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

const aPost = (language: Language, title: string, more: object = {}) =>
  asPublisher<Announcement>('announcements/create', {
    title,
    category: 'Events',
    language,
    content: '<p>The network opens on Monday</p>',
    ...more,
  })

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const rowOf = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

async function aReader(language: Language) {
  const { page, context } = await aVisitor(product.url, { locale: language === 'cn' ? 'zh-CN' : 'en-US' })
  await context.addCookies([{ name: 'language', value: language, url: product.url }])
  return page
}

/** Nothing to complain of, in every window. */
async function expectWellMade(page: Page) {
  await expectAccessible(page)
  await expectToFit(page)
}

test.each(languages)('in %s a draft is scheduled, and comes out at its time', async (language) => {
  const t = wordsOf(language)
  const title = `Scheduled ${language}`
  const page = await aPublisher(product, language)
  await page.goto('/newsroom?new=post')
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
  // 2027-03-14, 02:30: the clocks of New York go from two to three.
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
  const reader = await aReader(language)
  await reader.goto('/news')
  expect(await reader.getByRole('main').textContent()).not.toContain(title)
  const publishAt = new Date(Date.now() + 2 * SECOND).toISOString()
  await asPublisher(`admin/news/posts/${id}/schedule`, { publishAt, zone: 'UTC' })
  await expect
    .poll(async () => {
      await reader.goto('/news')
      return reader.getByRole('main').textContent()
    })
    .toContain(title)
})

test.each(languages)(
  'from %s a post is translated, and the language switch leads to it',
  async (language) => {
    const t = wordsOf(language)
    const title = `Translated ${language}`
    const other = language === 'en' ? 'cn' : 'en'
    const { slug } = await aPost(language, title)
    const page = await aPublisher(product, language)
    const tab = language === 'en' ? 'newsroom.tab.withoutChinese' : 'newsroom.tab.withoutEnglish'
    await page.goto('/newsroom')
    await page.getByRole('link', { name: t(tab), exact: true }).click()
    await rowOf(page, title)
      .getByRole('link', { name: t('newsroom.action.translate'), exact: true })
      .click()
    await press(page, t('newsroom.translate.takeOver'))
    const text = page.getByRole('textbox', { name: t('news.form.content') })
    await expect.poll(() => text.textContent()).toBe('The network opens on Monday')
    await page.getByLabel(t('news.form.title')).fill(`The other ${title}`)
    await expectWellMade(page)
    await press(page, t('news.form.publish'))
    await page.waitForURL('**/newsroom?show=published')
    await expect.poll(() => rowOf(page, title).count()).toBe(2)
    await page.goto(`/newsroom?show=${language === 'en' ? 'without-chinese' : 'without-english'}`)
    await page.getByRole('main').getByText(t('newsroom.lead')).waitFor()
    await expect.poll(() => rowOf(page, title).count()).toBe(0)

    const reader = await aReader(language)
    await reader.goto(`/news/${slug}`)
    expect(await reader.getByRole('heading', { level: 1 }).textContent()).toBe(title)
    await reader
      .locator('summary')
      .filter({ hasText: t('layout.language.menu') })
      .click()
    await reader
      .getByRole('link', { name: t(`layout.language.${other}`), exact: true })
      .first()
      .click()
    await expect
      .poll(() => reader.getByRole('heading', { level: 1 }).textContent())
      .toBe(`The other ${title}`)
    expect(await reader.locator('html').getAttribute('lang')).toBe(other === 'en' ? 'en' : 'zh-Hans')
  },
)

test.each(languages)('in %s posts made apart are linked, and unlinked again', async (language) => {
  const t = wordsOf(language)
  const other = language === 'en' ? 'cn' : 'en'
  const [title, theirs] = [`Linked ${language}`, `Made apart ${language}`]
  const [own, target] = [await aPost(language, title), await aPost(other, theirs)]
  const page = await aPublisher(product, language)
  await page.goto('/newsroom')
  const row = (of: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: of, exact: true }) })
  await row(title)
    .getByRole('button', { name: t('newsroom.action.link') })
    .click()
  const dialog = page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: t('newsroom.link.submit'), exact: true })
  await submit.click()
  await dialog.getByText(t('newsroom.link.missing')).waitFor()
  await dialog.getByRole('searchbox').fill(theirs)
  await page.keyboard.press('Enter')
  await expect.poll(() => dialog.getByRole('radio').count()).toBe(1)
  await dialog.getByRole('radio').check()
  await dialog.getByText(t('newsroom.link.signed')).waitFor()
  await expectWellMade(page)
  await submit.click()
  await row(title).getByRole('link', { name: theirs, exact: true }).waitFor()
  // The other row knows it as well, without being asked for.
  await row(theirs).getByRole('link', { name: title, exact: true }).waitFor()
  const reader = await aReader(language)
  await reader.goto(`/news/${own.slug}`)
  await reader.waitForURL(`**/news/${target.slug}`)
  expect(await reader.getByRole('heading', { level: 1 }).textContent()).toBe(title)

  await row(title)
    .getByRole('button', { name: t('newsroom.action.unlink') })
    .click()
  await dialog.getByRole('button', { name: t('newsroom.action.unlink') }).click()
  for (const each of [title, theirs])
    await row(each)
      .getByRole('button', { name: t('newsroom.action.link') })
      .waitFor()
  await reader.goto(`/news/${own.slug}`)
  expect(new URL(reader.url()).pathname).toBe(`/news/${own.slug}`)
})

test.each(languages)('in %s versions are compared and brought back', async (language) => {
  const t = wordsOf(language)
  const title = `Versions ${language}`
  const post = await aPost(language, title)
  await asPublisher('announcements/updatePostById', {
    _id: post._id,
    title,
    category: post.category,
    language,
    content: '<p>The network opens on Friday</p>',
  })
  const page = await aPublisher(product, language)
  await page.goto('/newsroom')
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
  const reader = await aReader(language)
  await reader.goto(`/news/${post.slug}`)
  expect(await reader.getByRole('article').textContent()).toContain('Monday')
})

test.each(languages)(
  'in %s a visitor reads a draft by its preview link, until it is ended',
  async (language) => {
    const t = wordsOf(language)
    const title = `Previewed ${language}`
    await aPost(language, title, { status: 'draft' })
    const page = await aPublisher(product, language)
    await page.goto('/newsroom?show=drafts')
    await rowOf(page, title)
      .getByRole('button', { name: t('newsroom.action.preview') })
      .click()
    await press(page, t('newsroom.preview.make'))
    const link = await page.getByLabel(t('newsroom.preview.link'), { exact: true }).inputValue()
    await expectWellMade(page)

    const reader = await aReader(language)
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

test.each(languages)('in %s the newsroom lists, unpublishes, publishes and restores', async (language) => {
  const t = wordsOf(language)
  const title = `Listed ${language}`
  await aPost(language, title)
  const page = await aPublisher(product, language)
  await page.goto('/newsroom')
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
})

test('a long list comes page after page', async () => {
  const t = wordsOf('en')
  for (let n = 1; n <= 21; n += 1) await aPost('en', `One of many ${n}`, { status: 'draft' })
  const page = await aPublisher(product, 'en')
  await page.goto('/newsroom?q=One+of+many')
  const titles = page.getByRole('main').getByRole('heading', { level: 2 })
  await expect.poll(() => titles.count()).toBe(20)
  await press(page, t('newsroom.more'))
  await expect.poll(() => titles.count()).toBe(21)
  expect(await page.getByRole('button', { name: t('newsroom.more') }).count()).toBe(0)
})

test('who does not work on the news is told so, and asks nothing of it', async () => {
  const t = wordsOf('en')
  await makePublisher(product, 'reader@example.org')
  const page = await aPublisher(product, 'en', 'reader@example.org')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/newsroom')
  await page.getByText(t('newsroom.forbidden')).waitFor()
  expect(asked.filter((url) => url.includes('/admin/news'))).toEqual([])
  expect(await page.getByRole('link', { name: t('layout.account.newsroom') }).count()).toBe(0)
})

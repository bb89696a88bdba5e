import siteLanguages from '#content/languages.json' with { type: 'json' }
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPublisher, makePublisher, publisherSettings } from '#tests/setup/a-publisher.ts'
import {
  aProgramOf,
  aReader,
  choose,
  expectWellMade,
  fillIn,
  press,
  rowOf,
  textOf,
  untilAutosaved,
} from '#tests/setup/newsroom-screens.ts'
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

test.each(languagesUnderTest('cn'))(
  'from %s a post is translated, and the language switch leads to it',
  async (language) => {
    const t = wordsOf(language)
    const title = `Translated ${language}`
    const other = language === 'en' ? 'cn' : 'en'
    const { slug } = await program.post(language, title)
    const page = await aPublisher(product, language)
    await page.goto(`/console/newsroom?missing=${other}`)
    await choose(page, rowOf(page, title), t('newsroom.action.translate'))
    await press(page, t('newsroom.translate.takeOver'))
    const text = page.getByRole('textbox', { name: t('news.form.content') })
    await expect.poll(() => text.textContent()).toBe('The network opens on Monday')
    await page.getByLabel(t('news.form.title')).fill(`The other ${title}`)
    await expectWellMade(page)
    await press(page, t('news.form.publish'))
    await page.waitForURL('**/newsroom?state=published')
    for (const each of [title, `The other ${title}`]) await rowOf(page, each).waitFor()
    await page.goto(`/console/newsroom?show=${language === 'en' ? 'without-chinese' : 'without-english'}`)
    await page.getByRole('main').getByText(t('newsroom.lead')).waitFor()
    await expect.poll(() => rowOf(page, title).count()).toBe(0)

    const reader = await aReader(product, language)
    await reader.goto(`/news/${slug}`)
    expect(await reader.getByRole('heading', { level: 1 }).textContent()).toBe(title)
    await reader
      .locator('summary')
      .filter({ hasText: t('layout.language.menu') })
      .click()
    await reader.getByRole('link', { name: siteLanguages[other].name, exact: true }).first().click()
    await expect
      .poll(() => reader.getByRole('heading', { level: 1 }).textContent())
      .toBe(`The other ${title}`)
    expect(await reader.locator('html').getAttribute('lang')).toBe(other === 'en' ? 'en' : 'zh-Hans')
  },
)

test.each(languagesUnderTest('en'))(
  'in %s posts that were created separately are linked, and unlinked again',
  async (language) => {
    const t = wordsOf(language)
    const other = language === 'en' ? 'cn' : 'en'
    const [title, theirs] = [`Linked ${language}`, `Made apart ${language}`]
    const [own, target] = [await program.post(language, title), await program.post(other, theirs)]
    const page = await aPublisher(product, language)
    await page.goto('/console/newsroom')
    await choose(page, rowOf(page, title), t('newsroom.action.link'))
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
    // The other row is updated, too.
    await rowOf(page, title).getByTitle(theirs, { exact: true }).waitFor()
    await rowOf(page, theirs).getByTitle(title, { exact: true }).waitFor()
    const reader = await aReader(product, language)
    await reader.goto(`/news/${own.slug}`)
    await reader.waitForURL(`**/news/${target.slug}`)
    expect(await reader.getByRole('heading', { level: 1 }).textContent()).toBe(title)

    await choose(page, rowOf(page, title), t('newsroom.action.unlink'))
    await dialog.getByRole('button', { name: t('newsroom.unlink.do') }).click()
    await expect.poll(() => rowOf(page, title).getByTitle(theirs).count()).toBe(0)
    expect(await rowOf(page, theirs).getByTitle(title, { exact: true }).count()).toBe(0)
    await reader.goto(`/news/${own.slug}`)
    expect(new URL(reader.url()).pathname).toBe(`/news/${own.slug}`)
  },
)

test.each(languagesUnderTest('cn'))(
  'in %s an unfinished translation is continued in another browser',
  async (language) => {
    const t = wordsOf(language)
    const title = `To be translated ${language}`
    const page = await aPublisher(product, language)
    const { slug } = await program.post(language, title)
    await page.goto('/console/newsroom')
    await choose(page, rowOf(page, title), t('newsroom.action.translate'))
    // An exact match, because the label of the search field, which is still there, contains the word.
    await page.getByLabel(t('news.form.title'), { exact: true }).fill(`Half of ${title}`)
    await textOf(page, language).fill('Half a sentence')
    await untilAutosaved(page)

    const other = await aPublisher(product, language)
    // The form of a new post offers none of the autosaves.
    const copies = other.waitForResponse((response) => response.url().endsWith('/working-copies'))
    await press(other, t('news.create'))
    expect(await (await copies).json()).toHaveLength(1)
    await textOf(other, language).waitFor()
    expect(await other.getByRole('button', { name: t('newsroom.unfinished.continue') }).count()).toBe(0)

    await other.goto('/console/newsroom?show=unfinished')
    const row = rowOf(other, `Half of ${title}`)
    await row.getByText(t('newsroom.unfinished.translates', { title })).waitFor()
    await expectWellMade(other)
    await choose(other, row, t('newsroom.unfinished.continue'))
    await expect.poll(() => textOf(other, language).textContent()).toBe('Half a sentence')
    await press(other, t('news.form.publish'))
    await other.waitForURL('**/newsroom?state=published')
    await other.goto(`/news/${slug}`)
    expect(await other.getByRole('heading', { level: 1 }).textContent()).toBe(title)
    await other.goto('/console/newsroom?show=unfinished')
    await other.getByText(t('newsroom.empty.unfinished')).waitFor()
  },
)

test('an unfinished text is discarded from the list after a confirmation', async () => {
  const t = wordsOf('en')
  const page = await aPublisher(product, 'en')
  await fillIn(page, 'en', 'Not meant to be', 'A passing thought')
  await untilAutosaved(page)
  await page.goto('/console/newsroom?show=unfinished')
  const row = rowOf(page, 'Not meant to be')
  await choose(page, row, t('newsroom.unfinished.discard.ask'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('forms.cancel') }).click()
  await choose(page, row, t('newsroom.unfinished.discard.ask'))
  await dialog.getByRole('button', { name: t('newsroom.unfinished.discard') }).click()
  await page.getByText(t('newsroom.empty.unfinished')).waitFor()
  await page.goto('/news')
  await press(page, t('news.create'))
  expect(await page.getByLabel(t('news.form.title')).inputValue()).toBe('')
})

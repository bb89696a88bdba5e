import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Language } from '#contract/platform/fields.ts'
import {
  aPublisher,
  makePublisher,
  publishersSettings,
  secondPublisherEmail,
} from '#tests/setup/a-publisher.ts'
import { expectAccessible, expectToFit } from '#tests/setup/check-page.ts'
import {
  aProgramOf,
  expectWellMade,
  fillIn,
  press,
  saveUntil,
  textOf,
  untilAutosaved,
} from '#tests/setup/newsroom-screens.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

let product: Product
beforeAll(async () => {
  product = await startOnCopy(publishersSettings)
  await makePublisher(product)
  await makePublisher(product, secondPublisherEmail)
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

async function publish(page: Page, language: Language, title: string, words: string) {
  await fillIn(page, language, title, words)
  await press(page, wordsOf(language)('news.form.publish'))
  const post = page.getByRole('article').filter({ hasText: title })
  await post.waitFor()
  return post
}

test.each(languagesUnderTest('en'))(
  'in %s typed text is restored after a reload, and in another browser',
  async (language) => {
    const t = wordsOf(language)
    const title = `Kept ${language}`
    const page = await aPublisher(product, language)
    await fillIn(page, language, title, 'Typed in the first browser')
    await untilAutosaved(page)

    await page.reload()
    await press(page, t('news.create'))
    await expect.poll(() => textOf(page, language).textContent()).toBe('Typed in the first browser')
    expect(await page.getByRole('main').textContent()).toContain(t('news.form.restored'))
    await untilAutosaved(page)

    const other = await aPublisher(product, language)
    await press(other, t('news.create'))
    await press(other, t('newsroom.unfinished.continue'))
    await expect.poll(() => textOf(other, language).textContent()).toBe('Typed in the first browser')
    expect(await other.getByLabel(t('news.form.title')).inputValue()).toBe(title)
    await press(other, t('news.form.publish'))
    await other.getByRole('article').filter({ hasText: title }).waitFor()

    // A saved text is not offered again.
    await other.reload()
    const answer = other.waitForResponse((response) => response.url().endsWith('/working-copies'))
    await press(other, t('news.create'))
    expect(await (await answer).json()).toEqual([])
  },
)

test('while the server is down the text stays in the browser, and is sent once it is back', async () => {
  const t = wordsOf('en')
  const page = await aPublisher(product, 'en')
  await page.route('**/working-copies', (route) => route.abort())
  await fillIn(page, 'en', 'Typed on a train', 'Word by word')
  await page.getByText(t('newsroom.kept.unreached')).first().waitFor()
  await textOf(page, 'en').focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' further on')
  expect(await textOf(page, 'en').textContent()).toBe('Word by word further on')
  await page.unroute('**/working-copies')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await untilAutosaved(page)
  // Cancel discards it, in the browser and on the server.
  const dropped = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await press(page, t('forms.cancel'))
  expect((await dropped).ok()).toBe(true)
  await press(page, t('news.create'))
  expect(await page.getByLabel(t('news.form.title')).inputValue()).toBe('')
})

test.each(languagesUnderTest('cn'))(
  'in %s the second of two editors sees both texts and loses neither',
  async (language) => {
    const t = wordsOf(language)
    const title = `Conflict ${language}`
    const first = await aPublisher(product, language)
    await publish(first, language, title, 'The network opens on Monday')
    const second = await aPublisher(product, language, secondPublisherEmail)
    const edit = async (page: Page, words: string) => {
      await page
        .getByRole('article')
        .filter({ hasText: title })
        .getByRole('button', { name: t('news.edit') })
        .click()
      await textOf(page, language).fill(words)
    }
    await edit(first, 'The network opens on Friday')
    await edit(second, 'The test network opens on Monday')
    await press(first, t('news.form.save'))
    await first.getByRole('article').filter({ hasText: 'Friday' }).waitFor()
    const conflict = second.getByRole('region', { name: t('newsroom.conflict.heading') })
    await saveUntil(second, language, conflict)
    expect(await conflict.locator('ins').allTextContents()).toEqual([
      expect.stringContaining('test'),
      expect.stringContaining('Monday'),
    ])
    expect(await conflict.locator('del').allTextContents()).toEqual([expect.stringContaining('Friday')])
    await expectWellMade(second)

    await press(second, t('newsroom.conflict.goOn'))
    expect(await textOf(second, language).textContent()).toBe('The test network opens on Monday')
    await press(second, t('newsroom.conflict.show'))
    await press(second, t('newsroom.conflict.takeTheirs'))
    await expect.poll(() => textOf(second, language).textContent()).toBe('The network opens on Friday')
    await press(second, t('newsroom.unfinished.continue'))
    await press(second, t('newsroom.conflict.keepMine'))
    await second.getByRole('article').filter({ hasText: 'The test network opens on Monday' }).waitFor()
  },
)

test(
  'an unfinished change is offered in another browser, next to the version saved since it was begun',
  { tags: ['nightly'] },
  async () => {
    const t = wordsOf('en')
    const title = 'Begun elsewhere'
    const first = await aPublisher(product, 'en')
    const post = await publish(first, 'en', title, 'Begins in May')
    await post.getByRole('button', { name: t('news.edit') }).click()
    await textOf(first, 'en').fill('Begins in May at noon')
    await untilAutosaved(first)
    const edit = async (page: Page) => {
      await page
        .getByRole('article')
        .filter({ hasText: title })
        .getByRole('button', { name: t('news.edit') })
        .click()
      await textOf(page, 'en').waitFor()
    }

    const elsewhere = await aPublisher(product, 'en')
    await edit(elsewhere)
    await expect.poll(() => textOf(elsewhere, 'en').textContent()).toBe('Begins in May at noon')
    await press(elsewhere, t('newsroom.restored.discard'))
    await expect.poll(() => textOf(elsewhere, 'en').textContent()).toBe('Begins in May')
    await textOf(elsewhere, 'en').fill('Begins in May at one')
    await untilAutosaved(elsewhere)

    const other = await aPublisher(product, 'en', secondPublisherEmail)
    await edit(other)
    await textOf(other, 'en').fill('Begins in June')
    await press(other, t('news.form.save'))
    await other.getByRole('article', { name: title }).filter({ hasText: 'Begins in June' }).waitFor()

    await elsewhere.reload()
    await elsewhere
      .getByRole('article')
      .filter({ hasText: title })
      .getByRole('button', { name: t('news.edit') })
      .click()
    const conflict = elsewhere.getByRole('region', { name: t('newsroom.conflict.heading') })
    await conflict.waitFor()
    expect(await conflict.textContent()).toContain('at one')
    await press(elsewhere, t('newsroom.conflict.keepMine'))
    await elsewhere.getByRole('article', { name: title }).filter({ hasText: 'at one' }).waitFor()
  },
)

test(
  'text typed after a save that succeeded only in part is kept as well',
  { tags: ['nightly'] },
  async () => {
    const t = wordsOf('en')
    const { post } = await aProgramOf(product)
    const { _id } = await post('en', 'Saved by half', { status: 'draft' })
    const page = await aPublisher(product, 'en')
    await page.goto(`/console/newsroom?edit=${_id}`)
    await textOf(page, 'en').fill('The text is saved')
    await untilAutosaved(page)
    await page.route('**/publish', (route) => route.abort())
    await press(page, t('newsroom.form.publish'))
    await page
      .getByRole('alert')
      .filter({ hasText: t('errors.offline') })
      .waitFor()
    await textOf(page, 'en').fill('And goes on after that')
    await untilAutosaved(page)
    const other = await aPublisher(product, 'en')
    await other.goto(`/console/newsroom?edit=${_id}`)
    await expect.poll(() => textOf(other, 'en').textContent()).toBe('And goes on after that')
    await press(other, t('newsroom.form.publish'))
    await other.waitForURL('**/newsroom?state=published')
  },
)

test('the end of a session neither interrupts writing nor loses text', { tags: ['nightly'] }, async () => {
  const t = wordsOf('en')
  const page = await aPublisher(product, 'en')
  await page.getByRole('button', { name: t('news.create') }).click()
  await textOf(page, 'en').waitFor()
  await page.route('**/working-copies', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'unauthenticated', message: 'Sign in.' }),
    }),
  )
  await textOf(page, 'en').fill('Still writing')
  await page.getByText(t('newsroom.kept.signedOut')).first().waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.reload()
  await press(page, t('news.create'))
  await expect.poll(() => textOf(page, 'en').textContent()).toBe('Still writing')
  await press(page, t('forms.cancel'))
})

test.each(languagesUnderTest('en'))(
  'in %s Cancel prevents a deletion, and Undo reverses it',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const title = `Deleted ${language}`
    const page = await aPublisher(product, language)
    const post = await publish(page, language, title, 'Here to stay')
    const remove = async () => {
      await post.getByRole('button', { name: t('news.delete') }).click()
      return page.getByRole('dialog')
    }
    await (await remove()).getByRole('button', { name: t('forms.cancel') }).click()
    expect(await post.count()).toBe(1)
    await (await remove()).getByRole('button', { name: t('news.delete') }).click()
    const undo = page
      .getByRole('region', { name: t('layout.notices.label') })
      .getByRole('button', { name: t('news.undo') })
    await undo.waitFor()
    expect(await post.count()).toBe(0)
    expect(await undo.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await post.waitFor()

    // The same through the menu on the page of the post.
    await post.getByRole('link', { name: title }).click()
    await page.getByRole('link', { name: t('news.post.back') }).waitFor()
    expect(
      await page
        .getByRole('navigation', { name: t('layout.nav.label') })
        .getByRole('link', { name: t('layout.nav.news') })
        .getAttribute('aria-current'),
    ).toBe('true')
    await press(page, t('news.edit'))
    await textOf(page, language).fill('Here to stay, and changed')
    await press(page, t('news.form.save'))
    await page.getByRole('article').filter({ hasText: 'and changed' }).waitFor()
    await press(page, t('news.delete'))
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('news.delete') })
      .click()
    await page.waitForURL('**/news')
    await undo.click()
    await page.waitForURL('**/news/*')
    await page.getByRole('article').filter({ hasText: 'and changed' }).waitFor()
  },
)

test.each(languagesUnderTest('cn'))(
  'in %s the open form is accessible and fits every window',
  async (language) => {
    const t = wordsOf(language)
    const page = await aPublisher(product, language)
    await fillIn(page, language, 'A form', 'With all that it has')
    await press(page, t('newsroom.form.schedule'))
    await untilAutosaved(page)
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await expectAccessible(page)
    }
    await expectToFit(page)
    await press(page, t('forms.cancel'))
  },
)

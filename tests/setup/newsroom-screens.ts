import type { Locator, Page } from 'playwright-core'
import type { Announcement } from '#contract/publishing/announcements.ts'
import type { Language } from '#contract/platform/fields.ts'
import { goodPassword } from '#tests/builders.ts'
import { publisherEmail } from './a-publisher.ts'
import { aVisitor } from './browser.ts'
import { expectAccessible, expectToFit } from './check-page.ts'
import type { Product } from './start-product.ts'
import { wordsOf } from './words.ts'

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
export const rowOf = (page: Page, title: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: title, exact: true }) })

/** Selects an action in the menu of a row. */
export async function choose(page: Page, row: Locator, action: string): Promise<void> {
  await row.locator('[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
export const textOf = (page: Page, language: Language) =>
  page.getByRole('textbox', { name: wordsOf(language)('news.form.content') })
export const untilAutosaved = (page: Page) => page.locator('[data-autosave="stored"]').waitFor()

/** Saves again if the service is temporarily unavailable, as it may be on a busy machine. */
export async function saveUntil(page: Page, language: Language, shown: Locator): Promise<void> {
  const t = wordsOf(language)
  const isBusy = page.getByRole('alert').filter({ hasText: t('errors.unavailable') })
  do {
    await press(page, t('news.form.save'))
    await shown.or(isBusy).first().waitFor()
  } while (!(await shown.isVisible()))
}

/** A filled-in form on the news page. */
export async function fillIn(page: Page, language: Language, title: string, words: string) {
  const t = wordsOf(language)
  await page.getByRole('button', { name: t('news.create') }).click()
  await page.getByLabel(t('news.form.title')).fill(title)
  await page.getByLabel(t('news.form.category'), { exact: true }).selectOption('Events')
  await textOf(page, language).fill(words)
}

/** Accessible and well laid out in every window size. */
export async function expectWellMade(page: Page) {
  await expectAccessible(page)
  await expectToFit(page)
}

export async function aReader(product: Product, language: Language): Promise<Page> {
  const { page, context } = await aVisitor(product.url, { locale: language === 'cn' ? 'zh-CN' : 'en-US' })
  await context.addCookies([{ name: 'language', value: language, url: product.url }])
  return page
}

/** API calls as the publisher, alongside their browser. */
export async function aProgramOf(product: Product) {
  const login = await product.post('members/login', { email: publisherEmail, password: goodPassword })
  const { token } = (await login.json()) as { token: string }
  async function ask<Answer>(path: string, body: object): Promise<Answer> {
    const answer = await product.post(path, body, { 'x-access-token': token })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  return {
    ask,
    post: (language: Language, title: string, more: object = {}) =>
      ask<Announcement>('announcements/create', {
        title,
        category: 'Events',
        language,
        content: '<p>The network opens on Monday</p>',
        ...more,
      }),
  }
}

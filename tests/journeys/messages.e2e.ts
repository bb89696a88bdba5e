import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import { anEmail, aPicture } from '#tests/builders.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { checkPage } from '#tests/setup/check-page.ts'
import { sampleAccount, type SampleAccount } from '#tests/setup/sample-accounts.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

let product: Product
let admin: SampleAccount
let member: SampleAccount
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
  admin = await sampleAccount(product, 'admin')
  member = await sampleAccount(product, 'member')
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

const prefersLanguage = async (page: Page, language: Language): Promise<void> => {
  await page.addInitScript(([key, code]) => localStorage.setItem(key, code), [storageKey, language] as const)
  await page.context().addCookies([{ name: 'language', value: language, url: product.url }])
}

async function signedIn(language: Language, { email, password }: SampleAccount): Promise<Page> {
  const t = wordsOf(language)
  const { page } = await aVisitor(product.url)
  await prefersLanguage(page, language)
  await page.goto('/login/signin')
  await page.getByLabel(t('forms.email.label'), { exact: true }).fill(email)
  await page.getByLabel(t('login.signin.password.label'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('login.signin.submit') }).click()
  await page.waitForURL('**/account/account-details')
  return page
}

/** Opens the newest conversation with the address and answers it. */
async function answer(desk: Page, language: Language, email: string, text: string): Promise<void> {
  const t = wordsOf(language)
  await desk.goto(`/console/messages?q=${encodeURIComponent(email)}`)
  await desk.getByRole('link', { name: email }).first().click()
  await desk.getByLabel(t('consoleConversations.answer'), { exact: true }).fill(text)
  await desk.getByRole('button', { name: t('conversations.send') }).click()
  await desk.getByText(t('consoleConversations.answered')).first().waitFor()
}

test.each(['en', 'cn'] as const)(
  'a member asks with a picture, staff see it and answer, and the email does not contain the answer: %s',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const [question, reply] = [`A question in ${language}`, `An answer in ${language}`]
    const page = await signedIn(language, member)
    await page.goto('/account/messages')
    await page.locator('main form textarea').fill(question)
    const buffer = Buffer.from((await aPicture('png')).replace(/^data:[^,]*,/, ''), 'base64')
    await page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    await page.getByRole('button', { name: t('conversations.send') }).click()
    await page.getByText(question).waitFor()
    await checkPage(page)

    const desk = await signedIn(language, admin)
    await answer(desk, language, member.email, reply)
    await desk.getByText(question).waitFor()
    await desk.getByRole('button', { name: /1/ }).filter({ hasText: /MB/ }).last().click()
    await desk.locator('main img').first().waitFor()
    await checkPage(desk)

    const mails = await product.mailsTo(member.email)
    expect(mails.some(({ text }) => text.includes('/account/messages'))).toBe(true)
    expect(mails.some(({ text }) => text.includes(reply))).toBe(false)
    await page.reload()
    await page.getByText(reply).waitFor()
    await checkPage(page)
  },
)

test.each(['en', 'cn'] as const)(
  'a visitor writes without script, proves the address, and continues the conversation from the answer: %s',
  { tags: ['nightly'] },
  async (language) => {
    const t = wordsOf(language)
    const email = anEmail()
    const { page } = await aVisitor(product.url, { javaScriptEnabled: false })
    await page.goto(language === 'en' ? '/contact' : `/${language}/contact`)
    await page.getByLabel(t('contact.email')).fill(email)
    await page.getByLabel(t('contact.text')).fill('How do I begin?')
    await page.getByRole('button', { name: t('contact.send') }).click()
    await page.getByText(t('contact.sent.heading')).first().waitFor()
    const desk = await signedIn(language, admin)
    await desk.goto(`/console/messages?q=${encodeURIComponent(email)}`)
    await desk.getByText(t('console.list.nothing')).waitFor()

    const [mail] = await product.mailsTo(email)
    const [link] = /https?:\/\/\S*contact\S*/.exec(mail!.text)!
    await page.goto(link)
    await page.getByRole('button', { name: t('contact.link.submit') }).click()
    await page.getByText(t('contact.confirmed.heading')).first().waitFor()

    const reply = `Begin with the help page (${language}).`
    await answer(desk, language, email, reply)
    await checkPage(desk)
    const answered = (await product.mailsTo(email)).find(({ text }) => text.includes(reply))
    const [answerLink] = /https?:\/\/\S*answer=\S*/.exec(answered!.text)!
    await page.goto(answerLink)
    await page.getByRole('button', { name: t('contact.link.submit') }).click()
    await page.getByText(t('contact.answer.heading')).waitFor()
    const sending = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: t('contact.send') }).click()
    expect((await sending).status()).toBe(400)
    const thanks = `Thank you (${language}).`
    await page.getByLabel(t('contact.text')).fill(thanks)
    await page.getByRole('button', { name: t('contact.send') }).click()
    await page.getByText(t('contact.answered.heading')).first().waitFor()
    // The page of the conversation is still open.
    await desk.getByText(thanks).waitFor()
    await desk.getByText(t('conversations.arrived')).waitFor()
  },
)

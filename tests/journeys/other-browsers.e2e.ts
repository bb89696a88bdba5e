import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import siteLanguages from '#content/languages.json' with { type: 'json' }
import { MINUTE } from '#contract/platform/durations.ts'
import { completeLanguages } from '#contract/platform/languages.ts'
import { anEmail, anOrder, goodPassword } from '#tests/builders.ts'
import { driveFirefox, driveWebKit, type Driven } from '#tests/setup/drive.ts'
import { startWithDatabase, type Opened } from '#tests/setup/start-with-database.ts'
import { wordsOf } from '#tests/setup/words.ts'

/* The actions of visitors and members in browsers other than Chromium. Differences between browsers are in the page,
   so the page itself finds elements, types, and clicks. */

let opened: Opened
beforeAll(async () => {
  opened = await startWithDatabase({ DEMO: 'on', DEMO_WORLD: 'off' })
})
afterAll(() => opened.close())

/** Finds elements like a person: by their visible text. */
const hands = `
const wait = async (find, what) => {
  for (let n = 0; n < 400; n += 1) {
    const found = find()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('waited in vain for ' + what + ' at ' + location.pathname + ': ' + document.body.innerText.slice(0, 600))
}
const isShown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible'
const wordsOf = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim()
const press = async (words, within = 'button') =>
  (await wait(() => [...document.querySelectorAll(within)].find((each) => wordsOf(each) === words && isShown(each) && !each.disabled), words)).click()
const type = async (label, text) => {
  const field = await wait(() => [...document.querySelectorAll('label')].filter((each) => each.textContent.trim().startsWith(label) && isShown(each))
    .map((each) => each.control).find(Boolean), label)
  field.focus()
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
  field.blur()
}
const text = (words) => wait(() => document.body.innerText.includes(words), words)
const at = (part) => wait(() => location.pathname.includes(part), part)
`
const toldOfAnotherPage = (error: Error): false => {
  if (/unload|discarded|destroyed|no such frame/i.test(error.message)) return false
  throw error
}
const s = (value: string) => JSON.stringify(value)

const browsers: [name: string, open: () => Promise<Driven>, narrowest: number][] = [
  ['Firefox', driveFirefox, 320],
  // Its window includes a toolbar of this width.
  ['WebKit', driveWebKit, 447],
]

describe.each(browsers)('in %s', { tags: ['nightly'], timeout: 6 * MINUTE }, (name, open, narrowest) => {
  async function aVisitor() {
    const browser = await open()
    onTestFinished(() => expect(browser.complaints, `${name} complained`).toEqual([]))
    const url = opened.product.url
    return {
      ...browser,
      visit: (path: string) => browser.visit(path.startsWith('http') ? path : url + path),
      ask: <Value>(body: string) => browser.ask<Value>(hands + body),
      // An action that leads to another page may reload it, which ends the running script.
      act: (body: string) => browser.ask(hands + body).catch(toldOfAnotherPage),
      async see(body: string): Promise<void> {
        await expect
          .poll(() => browser.ask(`${hands} ${body}; return true`).catch(toldOfAnotherPage))
          .toBe(true)
      },
    }
  }

  /** No part of the page is wider than the window. */
  const expectToFit = async (page: Awaited<ReturnType<typeof aVisitor>>, path: string) => {
    const { width, content } = await page.ask<{ width: number; content: number }>(
      // Sections that are not near the screen cut off what is wider than them.
      `for (const each of document.querySelectorAll('section, footer')) each.style.contentVisibility = 'visible'
      return { width: document.documentElement.clientWidth, content: document.documentElement.scrollWidth }`,
    )
    expect({ path, isWider: content > width }).toEqual({ path, isWider: false })
  }

  test('visitors read the site in both languages and at any width, and open the menu', async () => {
    const page = await aVisitor()
    for (const language of completeLanguages) {
      const t = wordsOf(language)
      const prefix = siteLanguages[language].prefix
      for (const path of ['/', '/project', '/help', '/ambassador-program', '/news', '/login/signup']) {
        for (const width of [1280, narrowest]) {
          await page.resize(width, 800)
          await page.visit(`${prefix}${path}`)
          await expectToFit(page, `${prefix}${path} at ${width}`)
        }
        if (path !== '/') continue
        expect(await page.ask<string>('return document.documentElement.lang')).toBe(
          siteLanguages[language].tag,
        )
        await page.ask(`
          await text(${s(t('home.hero.title'))})
          await press(${s(t('layout.menu'))})
          await wait(() => document.querySelector('nav:popover-open'), 'the menu')
          await press(${s(t('layout.menu.close'))})
          await wait(() => !document.querySelector('nav:popover-open'), 'the closed menu')`)
      }
    }
  })

  test('somebody signs up, activates, signs in, and reads an order', async () => {
    const t = wordsOf('en')
    const page = await aVisitor()
    const email = anEmail()
    await page.visit('/login/signup')
    await page.act(`
      await type(${s(t('forms.email.label'))}, ${s(email)})
      await type(${s(t('login.signup.password.label'))}, ${s(goodPassword)})
      await type(${s(t('login.signup.confirm.label'))}, ${s(goodPassword)})
      await press(${s(t('login.signup.submit'))})`)
    await page.see(`await at('/login/activate')`)
    const [mail] = await opened.product.mailsTo(email)
    await page.visit(/https?:\S+activate\S+/.exec(mail!.text)![0])
    await page.act(`await press(${s(t('login.activate.submit'))})`)
    await page.see(`await at('/login/signin')`)
    await page.act(`
      await wait(() => document.querySelector('input[type=password]'), 'the form')
      await type(${s(t('forms.email.label'))}, ${s(email)})
      await type(${s(t('login.signin.password.label'))}, ${s(goodPassword)})
      await press(${s(t('login.signin.submit'))})`)
    await page.see(`await at('/account/')`)
    const member = await opened.db
      .selectFrom('member')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await anOrder(opened.api, member.id, { amount: '7.25' })
    await page.resize(narrowest, 800)
    await page.visit('/account/account-details')
    await page.see(`await text('7.25')`)
    await expectToFit(page, 'the account')
  })

  test('a reader opens a post and verifies it', async () => {
    const t = wordsOf('en')
    const page = await aVisitor()
    await page.visit('/news')
    await page.act(`
      const link = await wait(() => document.querySelector('main article h2 a[href*="/news/"]'), 'a post')
      link.click()`)
    await page.see(`await at('/news/')`)
    // The button is served with the page. A press while the page is still loading is lost.
    await page.see(`await wait(() => document.readyState === 'complete', 'the whole page')`)
    await page.ask(`
      await press(${s(t('news.verify.button'))})
      await text(${s(t('signatures.right'))})`)
  })

  test('somebody applies as an ambassador', async () => {
    const t = wordsOf('en')
    const page = await aVisitor()
    const email = anEmail()
    await page.visit('/ambassador-program#apply')
    await page.ask(`
      await type(${s(t('ambassador.form.email.label'))}, ${s(email)})
      await type(${s(t('ambassador.form.name.label'))}, 'Sample Strand')
      await type(${s(t('ambassador.form.city.label'))}, 'Oslo')
      await type(${s(t('ambassador.form.country.label'))}, 'Norway')
      await press(${s(t('ambassador.form.submit'))})
      await text(${s(t('ambassador.thanks.heading'))})`)
    await expect.poll(async () => (await opened.product.mailsTo(email)).length).toBe(1)
  })
})

test(
  'in Firefox the pages say everything without script',
  { tags: ['nightly'], timeout: 3 * MINUTE },
  async () => {
    const browser = await driveFirefox({ 'javascript.enabled': false })
    for (const language of completeLanguages) {
      await browser.visit(`${opened.product.url}${siteLanguages[language].prefix}/`)
      expect(await browser.shownText()).toContain(wordsOf(language)('home.hero.title'))
    }
  },
)

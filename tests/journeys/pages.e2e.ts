import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storageKey } from '#content/brand.json'
import { languages, type Language } from '#contract/platform/languages.ts'
import { expectAccessible, expectNoShift } from '#tests/setup/check-page.ts'
import { aVisitor } from '#tests/setup/browser.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { messageKeys, wordsOf } from '#tests/setup/words.ts'
import { isFull, languagesUnderTest } from '#tests/setup/languages-under-test.ts'
import { siteRoutes } from '#web/kernel/routes/site-routes.ts'

/** Every page that visitors can open without a link from an email, and those that need one. */
const publicPages: readonly (readonly [path: string, title: string])[] = [
  ...siteRoutes
    .filter(({ path, guard, rendered }) => guard !== 'member' && rendered === 'ready' && !path.includes(':'))
    .map(({ path, title }) => [path, title] as const),
  ['/login/activate', 'meta.login.activate.title'],
  ['/login/change-password/some-id/some-code', 'meta.login.changePassword.title'],
  ['/login/choose-password/some-id/some-code', 'meta.login.changePassword.title'],
]

/** These consist of the same components as a page that is opened in every run. */
const ofTheNight = [
  '/currently-unavailable',
  '/legal/privacy',
  '/login/reset',
  '/login/change-password/some-id/some-code',
  '/login/choose-password/some-id/some-code',
]

/** In ordinary runs each language visits every other page. */
const walked = (language: Language) =>
  publicPages
    .filter(([path]) => isFull || !ofTheNight.includes(path))
    .filter((_, n) => languagesUnderTest(n % 2 === 0 ? 'en' : 'cn').includes(language))

let product: Product
beforeAll(async () => {
  product = await startOnCopy()
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

describe.each(languages)('in %s', (language) => {
  const t = wordsOf(language)
  const inLanguage = { name: 'language', value: language }

  test.each(publicPages)('%s is complete without script', async (path, title) => {
    const answer = await fetch(product.url + path, { headers: { cookie: `language=${language}` } })
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html).toContain(`<html lang="${language === 'cn' ? 'zh-Hans' : 'en'}"`)
    expect(html).toContain(`<title>${t(title).replaceAll('&', '&amp;')}`)
    // Content that depends on the URL is filled in by a script, and the static page says so.
    expect(html).toMatch(/^\/login\/(activate|change|choose)/.test(path) ? /<noscript>/ : /<h1[ >]/)
    expect(html).not.toMatch(/<(script|style)(?![^>]*(src=|type="application\/(ld\+)?json"))[^>]*>/)
    expect(html).not.toMatch(/ (style|on[a-z]+)="/)
  })

  test.each(walked(language))(
    '%s stands still, is accessible, shows no raw message keys and fits 320 px',
    async (path) => {
      const { page, context } = await aVisitor(product.url, { reducedMotion: 'reduce' })
      await context.addCookies([{ ...inLanguage, url: product.url }])
      await context.addInitScript(([key, code]) => localStorage.setItem(key, code), [
        storageKey,
        language,
      ] as const)
      await page.goto(path, { waitUntil: 'networkidle' })
      // On a busy machine, the network can pause before the content is there.
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      // Test machines have no Chinese fonts, so fallback glyphs are shown for a moment.
      if (language === 'en') await expectNoShift(page)

      const text = (await page.locator('body').innerText()).split(/\s+/)
      expect(text.filter((word) => messageKeys.has(word))).toEqual([])

      await expectAccessible(page)

      await page.setViewportSize({ width: 320, height: 640 })
      // The nightly run also opens it in a narrow window.
      if (isFull) await page.reload({ waitUntil: 'networkidle' })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    },
  )
})

test('where less motion is asked for, nothing slides when the window becomes narrow', async () => {
  const { page } = await aVisitor(product.url, { reducedMotion: 'reduce' })
  await page.goto('/news', { waitUntil: 'networkidle' })
  await page.evaluate(() => {
    addEventListener('transitionrun', ({ propertyName }) => {
      document.documentElement.dataset.slid = propertyName
    })
  })
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  // Transition events are dispatched with a frame.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  expect(await page.evaluate(() => document.documentElement.dataset.slid)).toBeUndefined()
})

test('an unknown page leads to the home page with a notice; unknown files and calls get 404', async () => {
  const { page } = await aVisitor(product.url)
  await page.goto('/no/such/page')
  expect(new URL(page.url()).pathname).toBe('/')
  await expect
    .poll(() => page.getByRole('region', { name: wordsOf('en')('layout.notices.label') }).allTextContents())
    .toContainEqual(expect.stringContaining(wordsOf('en')('layout.notice.notFound')))
  for (const path of ['/assets/none.js', '/assets/pdfs/none.pdf', '/v2/none', '/favicon.none'])
    expect((await fetch(product.url + path, { headers: { accept: '*/*' } })).status).toBe(404)
})

test('the messages of a language, the configuration and the API document are public', async () => {
  const words = (await (await fetch(`${product.url}/assets/i18n/cn.json`)).json()) as Record<string, string>
  expect(words['FormErrors.FieldRequiredError']).toBe(wordsOf('cn')('FormErrors.FieldRequiredError'))
  const config = (await (await fetch(`${product.url}/data/app-config.json`)).json()) as {
    quand: string
    endpoint: string
  }
  expect(config).toEqual({ quand: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), endpoint: '/v2/' })
  expect((await fetch(`${product.url}/v2/openapi.json`)).status).toBe(200)
})

test('a document and a worker come with policies; scripts, styles and fonts only with what holds for them', async () => {
  const headersOf = async (path: string) => [...(await fetch(product.url + path)).headers.keys()]
  const html = await (await fetch(product.url)).text()
  const parts = [...html.matchAll(/(?:src|href)="(\/assets\/app\/[^"]+\.(?:js|css|woff2))"/g)].map(
    ([, path]) => path!,
  )
  expect(parts.length).toBeGreaterThan(4)
  for (const path of parts) {
    const names = await headersOf(path)
    expect(names).toEqual(
      expect.arrayContaining([
        'cache-control',
        'cross-origin-resource-policy',
        'etag',
        'vary',
        'x-content-type-options',
      ]),
    )
    expect(names.filter((name) => name.endsWith('-policy'))).toEqual(['cross-origin-resource-policy'])
    expect(names).not.toContain('x-frame-options')
  }
  const built = readdirSync(join(import.meta.dirname, '../../dist/client/assets/app'))
  const worker = built.find((file) => /^worker-.*\.js$/.test(file))
  for (const path of ['/', `/assets/app/${worker}`])
    expect(await headersOf(path)).toEqual(
      expect.arrayContaining([
        'content-security-policy',
        'permissions-policy',
        'x-content-type-options',
        'x-frame-options',
      ]),
    )
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aVisitor } from '#tests/setup/browser.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'

const common = ['/', '/project', '/news', '/help', '/ambassador-program', '/legal/terms', '/legal/privacy']

let product: Product
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

describe.each(languagesUnderTest('cn'))('in %s', (language) => {
  const prefix = language === 'cn' ? '/cn' : ''

  test('every public page has one canonical address, its own title and description, and a picture for link previews', async () => {
    const seen: { title: string | undefined; description: string | undefined }[] = []
    for (const path of common) {
      const html = await (await fetch(product.url + prefix + path)).text()
      const valueOf = (pattern: RegExp) => pattern.exec(html)?.[1]
      expect(valueOf(/rel="canonical" href="(.+?)"/)).toBe(product.url + prefix + path)
      seen.push({
        title: valueOf(/<title>(.+?)<\/title>/),
        description: valueOf(/name="description" content="(.+?)"/),
      })
      const picture = await fetch(valueOf(/property="og:image" content="(.+?)"/) ?? 'missing:')
      expect(picture.headers.get('content-type')).toBe('image/png')
      expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    }
    for (const part of ['title', 'description'] as const)
      expect(new Set(seen.map((each) => each[part])).size).toBe(common.length)
  })

  test('the manifest and all its icons exist, each in the size that it declares', async () => {
    const manifest = (await (await fetch(`${product.url}${prefix}/manifest.webmanifest`)).json()) as {
      icons: { src: string; sizes: string; type: string }[]
    }
    expect(manifest.icons.length).toBeGreaterThan(2)
    const { page } = await aVisitor(product.url)
    await page.goto(prefix + '/')
    for (const { src, sizes, type } of manifest.icons) {
      expect((await fetch(product.url + src)).headers.get('content-type')).toBe(type)
      const width = await page.evaluate(async (address) => {
        const image = new Image()
        image.src = address
        await image.decode()
        return image.naturalWidth
      }, src)
      if (sizes !== 'any') expect(`${width}x${width}`).toBe(sizes)
    }
  })

  test.each(['/help', '/project'])('%s prints as the page alone, with every answer open', async (path) => {
    const { page } = await aVisitor(product.url)
    await page.goto(prefix + path)
    await page.emulateMedia({ media: 'print' })
    for (const part of ['banner', 'contentinfo'] as const)
      expect(await page.getByRole(part).isVisible()).toBe(false)
    const answers = page.locator('main details > :not(summary)')
    expect(await answers.count()).toBeGreaterThan(1)
    for (const answer of await answers.all()) expect(await answer.isVisible()).toBe(true)
    const outward = page.locator('main a[href^="https:"]')
    for (const link of await outward.all()) {
      const shown = await link.evaluate((element) => getComputedStyle(element, '::after').content)
      expect(shown).toContain(await link.getAttribute('href'))
    }
  })
})

test('the Chinese fallback font is not requested on English pages', { tags: ['nightly'] }, async () => {
  const { page } = await aVisitor(product.url)
  const fonts: string[] = []
  page.on('request', (request) => request.resourceType() === 'font' && fonts.push(request.url()))
  for (const path of common) await page.goto(path, { waitUntil: 'networkidle' })
  expect(fonts.length).toBeGreaterThan(0)
  expect(fonts.filter((address) => address.includes('han-fallback'))).toEqual([])
})

describe('a browser that prefers Chinese', () => {
  const t = wordsOf('en')
  const notices = (page: Page) => page.getByRole('region', { name: t('layout.notices.label') })
  const offer = (page: Page) => page.getByRole('button', { name: t('layout.language.accept') })
  const languageOf = (page: Page) => page.locator('html').getAttribute('lang')

  test('is offered Chinese once, and never again after it was dismissed', async () => {
    const { page } = await aVisitor(product.url, { locale: 'zh-CN' })
    await page.goto('/help')
    await offer(page).waitFor()
    expect(await languageOf(page)).toBe('en')
    expect(new URL(page.url()).pathname).toBe('/help')
    await notices(page)
      .getByRole('button', { name: t('layout.notices.dismiss') })
      .click()
    await page.goto('/project', { waitUntil: 'networkidle' })
    expect(await offer(page).count()).toBe(0)
  })

  test('stays in Chinese once the offer is accepted', async () => {
    const { page } = await aVisitor(product.url, { locale: 'zh-CN' })
    await page.goto('/help')
    await offer(page).click()
    await expect.poll(() => languageOf(page)).toBe('zh-Hans')
    expect(await offer(page).count()).toBe(0)
    await page.goto('/', { waitUntil: 'networkidle' })
    expect(await languageOf(page)).toBe('zh-Hans')
  })

  test('gets no offer if English was chosen without script', async () => {
    const { page, context } = await aVisitor(product.url, { locale: 'zh-CN' })
    await context.addCookies([{ name: 'language', value: 'en', url: product.url }])
    await page.goto('/help', { waitUntil: 'networkidle' })
    expect(await offer(page).count()).toBe(0)
  })
})

test('other browsers are not offered Chinese', async () => {
  const { page } = await aVisitor(product.url, { locale: 'fr-FR' })
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(await page.getByRole('button', { name: wordsOf('en')('layout.language.accept') }).count()).toBe(0)
})

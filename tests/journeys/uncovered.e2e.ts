import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisitor } from '#tests/setup/browser.ts'
import { isFull, languagesUnderTest } from '#tests/setup/languages-under-test.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { wordsOf } from '#tests/setup/words.ts'

let product: Product
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on' })
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

const publicPages = [
  '/',
  '/project',
  '/news',
  '/help',
  '/ambassador-program',
  '/currently-unavailable',
  '/legal/terms',
  '/login/signin',
  '/login/signup',
]

/**
 * Visible text and controls that pass under the bar while the page is scrolled. The bar does not move, so anything that
 * extends beyond its edge at any height passes under it.
 */
const textUnderBar = (page: Page, label: string) =>
  page.evaluate((name) => {
    const bar = document.querySelector(`aside[aria-label="${name}"]`)!
    const edge = Math.min(
      ...[...bar.querySelectorAll('ul, button')].map((part) => part.getBoundingClientRect().left),
    )
    const visibleTo = (element: Element | null): number => {
      let right = Infinity
      for (let at = element; at; at = at.parentElement) {
        const { overflowX, visibility, opacity } = getComputedStyle(at)
        if (visibility === 'hidden' || opacity === '0') return 0
        if (overflowX !== 'visible') right = Math.min(right, at.getBoundingClientRect().right)
      }
      return right
    }
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      if (!parent || bar.contains(parent) || !node.textContent?.trim()) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const { right, left, width, height } of range.getClientRects())
        if (width > 2 && height > 2 && left < innerWidth && Math.min(right, visibleTo(parent)) > edge + 0.5)
          found.push(`${Math.round(right)} > ${Math.round(edge)}: ${node.textContent.trim().slice(0, 40)}`)
    }
    for (const control of document.querySelectorAll('main :is(a, button, input, select, textarea)')) {
      const { right, width, height } = control.getBoundingClientRect()
      const isWide = width >= innerWidth - 1
      if (!isWide && width > 2 && height > 2 && Math.min(right, visibleTo(control)) > edge + 0.5)
        found.push(`${Math.round(right)} > ${Math.round(edge)}: <${control.tagName}> ${control.textContent}`)
    }
    return [...new Set(found)]
  }, label)

/** Opens the page and waits for its fonts, so that nothing moves during the measurement. */
async function openReady(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.evaluate(() => document.fonts.ready.then(() => {}))
}

test.each(languagesUnderTest('en'))(
  'in %s the open social bar lies over no text of a public page',
  async (language) => {
    const label = wordsOf(language)('layout.social.label')
    const { page, context } = await aVisitor(product.url, { reducedMotion: 'reduce' })
    await context.addCookies([{ name: 'language', value: language, url: product.url }])
    const covered: Record<string, string[]> = {}
    for (const path of publicPages) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await openReady(page, path)
      for (const width of isFull ? [651, 800, 1024, 1100, 1280, 1440] : [651, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await page.waitForTimeout(100)
        expect(
          await page.getByRole('button', { name: wordsOf(language)('layout.social.close') }).count(),
        ).toBe(1)
        const found = await textUnderBar(page, label)
        if (found.length > 0) covered[`${path} at ${width}`] = found
      }
    }
    expect(covered).toEqual({})
  },
)

test('a notice never lies over the button of a form, wherever the page is scrolled to', async () => {
  const { page } = await aVisitor(product.url, {
    viewport: { width: 390, height: 640 },
    reducedMotion: 'reduce',
  })
  await page.goto('/login/signup?notice=not-found', { waitUntil: 'networkidle' })
  const notices = page.getByRole('region', { name: wordsOf('en')('layout.notices.label') })
  await notices.getByText(wordsOf('en')('layout.notice.notFound')).waitFor()
  await notices.hover()
  const covered: string[] = []
  for (let y = 0; y < 700; y += 60) {
    await page.evaluate((to) => scrollTo(0, to), y)
    await page.waitForTimeout(100)
    const found = await notices.evaluate((section) => {
      const notice = section.getBoundingClientRect()
      return [...document.querySelectorAll('main button')]
        .filter((control) => {
          const { top, bottom, left, right } = control.getBoundingClientRect()
          return left < notice.right && right > notice.left && top < notice.bottom && bottom > notice.top
        })
        .map((control) => control.outerHTML.slice(0, 60))
    })
    covered.push(...found.map((control) => `${y}: ${control}`))
  }
  expect(covered).toEqual([])
})

test('below that the closed bar keeps to the margin, and members and staff have none over their tables', async () => {
  const t = wordsOf('en')
  const { page } = await aVisitor(product.url, {
    viewport: { width: 390, height: 800 },
    reducedMotion: 'reduce',
  })
  for (const path of ['/', '/news', '/login/signup']) {
    await openReady(page, path)
    expect(await textUnderBar(page, t('layout.social.label'))).toEqual([])
  }
  const label = `aria-label="${t('layout.social.label')}"`
  for (const path of [
    '/account/user-info',
    '/account/security',
    '/kyc',
    '/console/identity',
    '/console/newsroom',
  ])
    expect(await (await fetch(product.url + path)).text()).not.toContain(label)
  expect(await (await fetch(`${product.url}/news`)).text()).toContain(label)
})

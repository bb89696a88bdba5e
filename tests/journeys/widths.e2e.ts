import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aVisitor } from '#tests/setup/browser.ts'
import { languagesUnderTest } from '#tests/setup/languages-under-test.ts'
import { sampleAccount } from '#tests/setup/sample-accounts.ts'
import { signIn } from '#tests/setup/sign-in.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'
import { removeTemporary } from '#tests/setup/temporary.ts'
import { consoleRoutes } from '#web/kernel/routes/console-routes.ts'

/** With the data of the demo, because empty lists fit everywhere. */
let product: Product
beforeAll(async () => {
  product = await startOnCopy({ DEMO: 'on', DEMO_WORLD: 'on' })
})
afterAll(async () => {
  expect(await product.stop()).toBe(0)
  await removeTemporary(product.dataDir)
})

const widths = [390, 1024, 1280]
const mainPages = ['/', '/news', '/project', '/account/account-details', '/kyc']
const consolePages = consoleRoutes.map(({ path }) => path).filter((path) => !path.includes(':'))

/** Finds elements that are wider than the window, and buttons whose label is cut off or outside its box. */
const findCutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const found = scrollWidth > clientWidth ? [`the page: ${scrollWidth} px`] : []
    for (const button of document.querySelectorAll<HTMLElement>('button, summary, a[class*=button]')) {
      const box = button.getBoundingClientRect()
      if (box.width < 12 || !button.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        continue
      const label = [
        ...button.childNodes,
        ...[...button.querySelectorAll('span')].flatMap((span) => [...span.childNodes]),
      ]
      const isCut = label.some((node) => {
        // Text for screen readers has no width.
        if (node.nodeType !== Node.TEXT_NODE || !node.textContent?.trim()) return false
        if ((node.parentElement?.offsetWidth ?? 0) <= 2) return false
        const range = document.createRange()
        range.selectNodeContents(node)
        const text = range.getBoundingClientRect()
        return text.left < box.left - 1 || text.right > box.right + 1 || text.bottom > box.bottom + 4
      })
      const isBeside = box.left < clientWidth && box.right > clientWidth + 1
      if (isCut || (isBeside && getComputedStyle(button).position !== 'fixed'))
        found.push(`the button ${button.innerText.trim()}`)
    }
    return found
  })

// Chinese text is shorter, so English is the harder test.
test.each(languagesUnderTest('en'))(
  'lists and main pages fit phones, tablets and desktops in %s',
  async (language) => {
    const { page } = await aVisitor(product.url)
    const { email, password } = await sampleAccount(product, 'admin')
    await signIn(page, language, email, password)
    const cutOff: string[] = []
    for (const path of [...mainPages, ...consolePages]) {
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForFunction(() => !document.querySelector('[aria-busy=true], [class*=loading]'))
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        for (const each of await findCutOff(page)) cutOff.push(`${path} at ${width} px: ${each}`)
      }
    }
    expect(cutOff).toEqual([])
  },
)

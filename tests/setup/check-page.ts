import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { messageKeys } from './words.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Axe = {
  run: (options: {
    resultTypes: ['violations']
  }) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

/**
 * Expects no violation found by axe. Waits for animations to finish, because colors in the middle of a fade are not
 * those of the design.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // The Content-Security-Policy forbids eval, so axe is run in the page through the debugger.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const violations = await page.evaluate(async () => {
    // Animations that depend on scrolling or are paused never finish. One second is enough for all others.
    const passing = Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    await Promise.race([passing, new Promise((resolve) => setTimeout(resolve, 1000))])
    const { axe: tool } = window as unknown as { axe: Axe }
    return (await tool.run({ resultTypes: ['violations'] })).violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html}`,
    )
  })
  expect(violations).toEqual([])
}

const narrowest = { width: 320, height: 640 }

/** WCAG 1.4.10: nothing extends beyond a window 320 pixels wide. */
export async function expectToFit(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize(narrowest)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(narrowest.width)
  if (size) await page.setViewportSize(size)
}

type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }

/**
 * Expects no layout shift while the page loads: at most a fifth of what web.dev calls good (Cumulative Layout Shift).
 */
export async function expectNoShift(page: Page): Promise<void> {
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries() as Shift[])
            if (!hadRecentInput) sum += value
        }).observe({ type: 'layout-shift', buffered: true })
        // Earlier entries are reported soon, though not within the same task.
        setTimeout(() => resolve(sum), 100)
      }),
  )
  expect(shift).toBeLessThan(0.02)
}

/** Checks that apply to every page: no raw message keys, accessible, and no wider than the window. */
export async function checkPage(page: Page): Promise<void> {
  const text = (await page.getByRole('main').innerText()).split(/\s+/)
  expect(text.filter((word) => messageKeys.has(word) || /^\{\w+\}$/.test(word))).toEqual([])
  await expectAccessible(page)
  await expectToFit(page)
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Axe = {
  run: (options: {
    resultTypes: ['violations']
  }) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

/** No violation found by axe. Waits for animations to finish: colours half-way through a fade are not the design's. */
export async function expectAccessible(page: Page): Promise<void> {
  // The page's policy forbids eval; the tool is run in the page's world by the debugger instead.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const violations = await page.evaluate(async () => {
    // One that hangs on scrolling, or that is held, never ends: a second is long enough for all that do.
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

/** WCAG 1.4.10: nothing runs off the side of a window 320 pixels wide. */
export async function expectToFit(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize(narrowest)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(narrowest.width)
  if (size) await page.setViewportSize(size)
}

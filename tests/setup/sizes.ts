import type { Language } from '#contract/platform/fields.ts'
import { isFull, languagesUnderTest } from './languages-under-test.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const desktop = { viewport: { width: 1280, height: 800 } }

/** The languages and screen sizes of an acceptance journey: one in ordinary runs, all in the nightly run. */
export const waysUnderTest = (usual: Language) =>
  languagesUnderTest(usual).flatMap((language) => [
    ...(isFull || usual === 'en' ? [{ language, size: 'desktop' as const, screen: desktop }] : []),
    ...(isFull || usual === 'cn' ? [{ language, size: 'phone' as const, screen: phone }] : []),
  ])

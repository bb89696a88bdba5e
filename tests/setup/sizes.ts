import type { Language } from '#contract/fields.ts'
import { isFull, languagesUnderTest } from './languages-under-test.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const desktop = { viewport: { width: 1280, height: 800 } }

/** The languages and screens that a journey of acceptance is walked in: one by day, all by night. */
export const waysUnderTest = (usual: Language) =>
  languagesUnderTest(usual).flatMap((language) => [
    ...(isFull || usual === 'en' ? [{ language, size: 'desktop' as const, screen: desktop }] : []),
    ...(isFull || usual === 'cn' ? [{ language, size: 'phone' as const, screen: phone }] : []),
  ])

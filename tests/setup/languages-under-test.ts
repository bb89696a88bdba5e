import { languages, type Language } from '#contract/fields.ts'

/** The nightly run, `npm run test:full`, also repeats what a change's own run does once. */
export const isFull = process.env['TESTS'] === 'full'

/** Whole journeys are gone through in one language each, half of them in each, and nightly in both. */
export const languagesUnderTest = (usual: Language): readonly Language[] => (isFull ? languages : [usual])

import { languages, type Language } from '#contract/platform/languages.ts'

/** The nightly run, `npm run test:full`, also repeats what the ordinary run does once. */
export const isFull = process.env['TESTS'] === 'full'

/** Each journey runs in one language, half of them in each. The nightly run uses both. */
export const languagesUnderTest = (usual: Language): readonly Language[] => (isFull ? languages : [usual])

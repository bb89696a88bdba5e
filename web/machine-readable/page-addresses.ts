import { listAmbassadors } from '#contract/people/ambassador-profiles.ts'
import { listPostAddresses } from '#contract/publishing/announcements.ts'
import { languages } from '#contract/platform/languages.ts'
import type { Call } from '../kernel/call/call.ts'
import { factsFrom } from '../kernel/content/facts.ts'
import { pathIn } from '../kernel/routes/routes.ts'

/** Topics whose changes add or remove addresses. */
export const topicsOfPages: readonly string[] = ['announcements', 'ambassadors', 'content']

/**
 * Returns the paths of single posts and ambassadors, each in both languages, because a page without text in one
 * language shows the other one.
 */
export async function listPageAddresses(call: Call): Promise<string[]> {
  const [posts, ambassadors, facts] = await Promise.all([
    call(listPostAddresses, {}),
    call(listAmbassadors, {}),
    factsFrom(call)('facts/ambassadors.json'),
  ])
  const pages = [
    ...posts.map(({ slug }) => ['newsPost', slug] as const),
    ...ambassadors.map(({ slug }) => ['ambassador', slug] as const),
    ...facts['facts/ambassadors.json'].map(({ id }) => ['ambassador', id] as const),
  ]
  return languages.flatMap((language) => pages.map(([name, slug]) => pathIn(language, name, { slug })))
}

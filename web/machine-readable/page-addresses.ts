import { listAmbassadors } from '#contract/people/ambassador-profiles.ts'
import { categories, listPostAddresses, listPostAuthors } from '#contract/publishing/announcements.ts'
import { languages } from '#contract/platform/languages.ts'
import type { Call } from '../kernel/call/call.ts'
import { keyOf } from '../announcements/news-filter.ts'
import { factsFrom } from '../kernel/content/facts.ts'
import { pathIn } from '../kernel/routes/routes.ts'

/** Topics whose changes add or remove addresses. */
export const topicsOfPages: readonly string[] = ['announcements', 'ambassadors', 'content']

/**
 * Returns the paths of single posts, categories, authors, and ambassadors, each in both languages: a page without text
 * in one language shows the other one, or says that there is none.
 */
export async function listPageAddresses(call: Call): Promise<string[]> {
  const [posts, authors, ambassadors, facts] = await Promise.all([
    call(listPostAddresses, {}),
    call(listPostAuthors, {}),
    call(listAmbassadors, {}),
    factsFrom(call)('facts/ambassadors.json'),
  ])
  const pages = [
    ...posts.map(({ slug }) => ['newsPost', slug] as const),
    ...ambassadors.map(({ slug }) => ['ambassador', slug] as const),
    ...facts['facts/ambassadors.json'].map(({ id }) => ['ambassador', id] as const),
  ]
  return languages.flatMap((language) => [
    ...pages.map(([name, slug]) => pathIn(language, name, { slug })),
    ...authors.map(({ slug }) => pathIn(language, 'newsOf', { of: 'author', slug })),
    ...categories.map((each) => pathIn(language, 'newsOf', { of: 'category', slug: keyOf(each.name) })),
  ])
}

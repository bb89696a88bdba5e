import type { Language } from '#contract/fields.ts'
import type { AmbassadorData } from '../ambassadors/badge/ambassador-page.tsx'
import type { PostData } from '../announcements/post-page.tsx'
import { labelOf, pathIn, type RouteName } from '../routes/routes.ts'
import type { Described, Thing } from './linked-data.ts'

/** The breadcrumb trail from the home page to this page. */
export function breadcrumbs({ route, language, origin, say, data }: Described): Thing {
  const one = oneOf(route.name, data, language)
  const way: RouteName[] = ['home', (one && route.within) ?? route.name]
  const end = one && [
    { '@type': 'ListItem', position: way.length + 1, name: one.name, item: origin + one.path },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      ...way.map((name, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: say(labelOf(name)),
        item: origin + pathIn(language, name),
      })),
      ...(end ?? []),
    ],
  }
}

/** The last breadcrumb of a page for a single item. */
function oneOf(name: RouteName, data: unknown, language: Language): { name: string; path: string } | null {
  if (name === 'newsPost') {
    const { post } = data as PostData
    return { name: post.title, path: pathIn(post.language, 'newsPost', { slug: post.slug }) }
  }
  const person = name === 'ambassador' ? (data as AmbassadorData).person : null
  return person && { name: person.name, path: pathIn(language, 'ambassador', { slug: person.slug }) }
}

import type { PostData } from '../announcements/post-page.tsx'
import { labelOf, pathIn, type RouteName } from '../routes/routes.ts'
import type { Described, Thing } from './linked-data.ts'

/** The breadcrumb trail from the home page to this page. */
export function breadcrumbs({ route, language, origin, say, data }: Described): Thing {
  const post = route.name === 'newsPost' ? (data as PostData).post : null
  const way: RouteName[] = ['home', (post && route.within) ?? route.name]
  const end = post && [
    {
      '@type': 'ListItem',
      position: way.length + 1,
      name: post.title,
      item: origin + pathIn(post.language, 'newsPost', { slug: post.slug }),
    },
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

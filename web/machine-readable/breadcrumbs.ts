import type { PostData } from '../announcements/post-page.tsx'
import type { PlainKey } from '../i18n/message-key.ts'
import type { RouteName } from '../routes/route.ts'
import { pathIn } from '../routes/routes.ts'
import type { Described, Thing } from './linked-data.ts'

/** What a page is called in the menu or at the foot of every page. */
const labels: Partial<Record<RouteName, PlainKey>> = {
  home: 'layout.nav.home',
  project: 'layout.nav.project',
  news: 'layout.nav.news',
  help: 'layout.nav.help',
  ambassadorProgram: 'layout.nav.ambassadors',
  currentlyUnavailable: 'placeholder.title',
  'legal.terms': 'layout.footer.terms',
  'legal.privacy': 'layout.footer.privacy',
}

/** The way from the home page to this one. */
export function breadcrumbs({ route, language, origin, say, data }: Described): Thing {
  const post = route.name === 'newsPost' ? (data as PostData).post : null
  const way: RouteName[] = ['home', post ? 'news' : route.name]
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
        name: say(labels[name] ?? route.title),
        item: origin + pathIn(language, name),
      })),
      ...(end ?? []),
    ],
  }
}

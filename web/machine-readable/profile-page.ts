import type { AmbassadorData } from '../ambassadors/badge/ambassador-page.tsx'
import { htmlLanguage } from '../i18n/language.ts'
import { pathIn } from '../routes/routes.ts'
import type { Described, Thing } from './linked-data.ts'

/** Structured data for the page of a current ambassador. */
export function profilePage(
  { person }: AmbassadorData,
  { origin, language }: Pick<Described, 'origin' | 'language'>,
): Thing[] {
  if (!person) return []
  const address = origin + pathIn(language, 'ambassador', { slug: person.slug })
  return [
    {
      '@type': 'ProfilePage',
      '@id': address,
      inLanguage: htmlLanguage[language],
      mainEntity: {
        '@type': 'Person',
        '@id': `${address}#person`,
        name: person.name,
        ...(person.sentence && { description: person.sentence }),
        ...(person.photo && { image: origin + person.photo }),
        ...(person.link && { sameAs: person.link }),
        affiliation: { '@id': `${origin}/#organization` },
      },
    },
  ]
}

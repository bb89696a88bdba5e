import { name, ticker } from '#content/brand.json'
import { languages } from '#contract/platform/languages.ts'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import { pathIn } from '../kernel/routes/routes.ts'
import type { Described, Thing } from './linked-data.ts'

type Place = Pick<Described, 'origin' | 'brand' | 'language'>

/** The short form, for use as a publisher. */
export const publisher = ({ origin }: Pick<Place, 'origin'>): Thing => ({
  '@type': 'Organization',
  '@id': `${origin}/#organization`,
  name,
  url: `${origin}/`,
  logo: { '@type': 'ImageObject', url: `${origin}/assets/icons/icon-512.png`, width: 512, height: 512 },
})

export const organization = ({ origin, brand }: Pick<Place, 'origin' | 'brand'>): Thing => ({
  ...publisher({ origin }),
  email: brand.email,
  ...(brand.phone && { telephone: brand.phone }),
  ...(brand.address.length > 0 && { address: brand.address.join(', ') }),
  sameAs: Object.values(brand.social),
})

export const webSite = ({ origin, brand, language }: Place): Thing => ({
  '@type': 'WebSite',
  '@id': `${origin}/#website`,
  name,
  alternateName: ticker,
  url: `${origin}/`,
  description: brand.tagline,
  inLanguage: languages.map((each) => htmlLanguage[each]),
  publisher: { '@id': `${origin}/#organization` },
  potentialAction: {
    '@type': 'SearchAction',
    target: {
      '@type': 'EntryPoint',
      urlTemplate: `${origin}${pathIn(language, 'search')}?q={search_term_string}`,
    },
    'query-input': 'required name=search_term_string',
  },
})

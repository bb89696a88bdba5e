import { name } from '#content/brand.json'
import type { Brand } from '#contract/publishing/content.ts'
import { isAlwaysComplete, type Language } from '#contract/platform/languages.ts'
import { screenshotSizes } from './screenshot-sizes.ts'
import { themeColors } from './theme-colors.ts'
import { htmlLanguage, inEachLanguage } from '../kernel/i18n/language.ts'

/** Browsers fetch it without cookies, so each language has its own URL. */
export const manifestPath = inEachLanguage('/manifest.webmanifest')

const icon = (file: string, sizes: string, type: string, purpose = 'any') => ({
  src: `/assets/icons/${file}`,
  sizes,
  type,
  purpose,
})

/** Made by `npm run make:screenshots`. */
const screenshots = (language: Language, label: string) =>
  Object.entries(screenshotSizes).map(([form, { width, height }]) => ({
    src: `/assets/screenshots/${form}-${language}.webp`,
    sizes: `${width}x${height}`,
    type: 'image/webp',
    form_factor: form,
    label,
  }))

/** https://www.w3.org/TR/appmanifest/ There is one app for all languages: the stored choice is applied at startup. */
export const webManifest = (language: Language, { tagline }: Pick<Brand, 'tagline'>): object => ({
  id: '/',
  name,
  short_name: name,
  description: tagline[language],
  lang: htmlLanguage[language],
  dir: 'ltr',
  start_url: '/',
  scope: '/',
  display: 'minimal-ui',
  background_color: themeColors.dark,
  theme_color: themeColors.dark,
  icons: [
    icon('favicon.svg', 'any', 'image/svg+xml'),
    icon('icon-192.png', '192x192', 'image/png'),
    icon('icon-512.png', '512x512', 'image/png'),
    icon('icon-maskable-512.png', '512x512', 'image/png', 'maskable'),
  ],
  screenshots: screenshots(isAlwaysComplete(language) ? language : 'en', tagline[language]),
})

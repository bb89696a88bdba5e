import { expect, test } from 'vitest'
import { email, name } from '#content/brand.json'
import documents from '#content/media/pdfs/documents.json'
import { languages } from '#contract/platform/languages.ts'
import { isListed, pathIn, routes } from '../kernel/routes/routes.ts'
import { answeringContent, wholeBrand } from '#tests/setup/site-content.ts'
import { llmsText } from './llms-text.ts'
import { securityText } from './security-text.ts'
import { webManifest } from './web-manifest.ts'

const origin = 'https://coin.example'

test.each(languages)(
  'llms.txt in %s names every public page and document of that language',
  async (language) => {
    const text = await llmsText(answeringContent(), language, origin)
    expect(text.startsWith(`# ${name}\n`)).toBe(true)
    expect(text).not.toMatch(/\{\w+\}|meta\.|layout\.|documents\.\w/)
    for (const route of routes)
      expect(text.includes(`](${origin}${pathIn(language, route.name)}): `)).toBe(isListed(route))
    for (const document of documents)
      expect(text.includes(`/assets/pdfs/${document.file})`)).toBe(document.language === language)
  },
)

test('security.txt is valid for a year from the start (RFC 9116)', () => {
  const lines = securityText(origin, wholeBrand, '2026-11-20T08:00:00.000Z').split('\n')
  expect(lines).toContain(`Contact: mailto:${email}`)
  expect(lines).toContain('Expires: 2027-11-20T08:00:00.000Z')
  expect(lines).toContain(`Canonical: ${origin}/.well-known/security.txt`)
  expect(lines.at(-1)).toBe('')
})

test.each(languages)(
  'the manifest in %s has a name, a start address, and icons for home screens',
  (language) => {
    const manifest = webManifest(language, wholeBrand) as {
      lang: string
      icons: { sizes: string; purpose: string }[]
    }
    expect(manifest).toMatchObject({ name, start_url: '/', scope: '/' })
    expect(manifest.lang).toBe(language === 'cn' ? 'zh-Hans' : 'en')
    const icons = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)
    expect(icons).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']))
  },
)

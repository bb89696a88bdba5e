import { name } from '#content/brand.json'
import type { Language } from '#contract/platform/fields.ts'
import type { Call } from '../kernel/call/call.ts'
import { messagesFrom } from '../kernel/content/messages-from.ts'
import { interpolate } from '../kernel/i18n/interpolate.ts'
import { htmlLanguage, inEachLanguage } from '../kernel/i18n/language.ts'
import { pathIn } from '../kernel/routes/routes.ts'

export const openSearchPath = inEachLanguage('/opensearch.xml')

/** The maximum length of a short name (OpenSearch 1.1). */
const shortNameMax = 16

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** An OpenSearch 1.1 description, which lets browsers search this site from the address bar. */
export async function openSearchText(call: Call, language: Language, origin: string): Promise<string> {
  const messages = await messagesFrom(call, language, ['meta'])
  const description = interpolate(messages['meta.search.description'] ?? '', language)
  const template = `${origin}${pathIn(language, 'search')}?q={searchTerms}`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    `<ShortName>${escape(name.slice(0, shortNameMax))}</ShortName>`,
    `<Description>${escape(description)}</Description>`,
    `<Language>${htmlLanguage[language]}</Language>`,
    '<InputEncoding>UTF-8</InputEncoding>',
    `<Image width="32" height="32" type="image/x-icon">${escape(origin)}/favicon.ico</Image>`,
    `<Url type="text/html" template="${escape(template)}"/>`,
    '</OpenSearchDescription>',
    '',
  ].join('\n')
}

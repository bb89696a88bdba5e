import { email, legalLine, name, tagline } from '#content/brand.json'
import documents from '#content/media/pdfs/documents.json'
import type { Language } from '#contract/fields.ts'
import { fill } from '../i18n/fill.ts'
import { offeredLanguages, withPrefix } from '../i18n/language.ts'
import { loadMessages } from '../i18n/load-messages.ts'
import type { MessageKey, PlainKey, ValuesFor } from '../i18n/message-key.ts'
import { isListed, pathIn, routes } from '../routes/routes.ts'

export const llmsPath: Record<Language, string> = { en: '/llms.txt', cn: withPrefix('/llms.txt') }

const languageNames: Record<Language, PlainKey> = { en: 'layout.language.en', cn: 'layout.language.cn' }

/** https://llmstxt.org: what the site holds and where, for language models. */
export async function llmsText(language: Language, origin: string): Promise<string> {
  const messages = await loadMessages(language, ['documents', 'layout', 'meta'])
  const say = <Key extends MessageKey>(key: Key, ...[values]: ValuesFor<Key>) =>
    fill(messages[key] ?? key, language, values)
  const pages = routes
    .filter(isListed)
    .map((route) => link(say(route.title), origin + pathIn(language, route.name), say(route.description)))
  const files = documents
    .filter((each) => each.language === language)
    .map(({ title, file, version, date, pages: count }) =>
      link(
        title,
        `${origin}/assets/pdfs/${file}`,
        `PDF · ${say('documents.version', { version })} · ${date} · ${say('documents.pages', { count })}`,
      ),
    )
  const others = offeredLanguages
    .filter((each) => each !== language)
    .map((each) => `- [${say(languageNames[each])}](${origin}${llmsPath[each]})`)
  return [
    `# ${name}\n\n> ${tagline[language]}\n\n${legalLine[language]}`,
    section(say('layout.footer.site'), pages),
    section(say('documents.heading'), files),
    section(say('layout.footer.contact'), [`- [${email}](mailto:${email})`]),
    section(say('layout.language.menu'), others),
  ].join('\n\n')
}

const section = (heading: string, entries: readonly string[]): string =>
  `## ${heading}\n\n${entries.join('\n')}`

const link = (title: string, address: string, description: string): string =>
  `- [${title.replaceAll(/[[\]]/g, String.raw`\$&`)}](${address}): ${description}`

import { name } from '#content/brand.json'
import { readBrand } from '#contract/publishing/content.ts'
import { isAlwaysComplete, type Language } from '#contract/platform/languages.ts'
import type { Call } from '../kernel/call/call.ts'
import { brandIn } from '../kernel/content/brand.tsx'
import { factsFrom, type FactFiles } from '../kernel/content/facts.ts'
import { languagesInFull } from '../kernel/content/languages-in-full.ts'
import { messagesFrom } from '../kernel/content/messages-from.ts'
import { interpolate } from '../kernel/i18n/interpolate.ts'
import { inEachLanguage, languageName } from '../kernel/i18n/language.ts'
import type { MessageKey, ValuesFor } from '../kernel/i18n/message-key.ts'
import { isListed, pathIn, routes } from '../kernel/routes/routes.ts'

export const llmsPath = inEachLanguage('/llms.txt')

/** https://llmstxt.org: what the site contains and where, for language models. */
export async function llmsText(call: Call, language: Language, origin: string): Promise<string> {
  const [messages, { documents }, brand] = await Promise.all([
    messagesFrom(call, language, ['documents', 'layout', 'meta']),
    factsFrom(call)('documents'),
    call(readBrand, {}),
  ])
  const { email, legalLine, tagline } = brandIn(language, brand, origin)
  const say = <Key extends MessageKey>(key: Key, ...[values]: ValuesFor<Key>) =>
    interpolate(messages[key] ?? key, language, values)
  const pages = routes
    .filter(isListed)
    .map((route) => link(say(route.title), origin + pathIn(language, route.name), say(route.description)))
  const files = documents
    .filter((each) => each.language === language || isInsteadOf(each, documents, language))
    .map(({ title, file, version, date, pages: count }) =>
      link(
        title,
        `${origin}/assets/pdfs/${file}`,
        `PDF · ${say('documents.version', { version })} · ${date} · ${say('documents.pages', { count })}`,
      ),
    )
  const others = (await languagesInFull(call))
    .filter((each) => each !== language)
    .map((each) => `- [${languageName[each]}](${origin}${llmsPath[each]})`)
  return [
    `# ${name}\n\n> ${tagline}\n\n${legalLine}`,
    section(say('layout.footer.site'), pages),
    section(say('documents.heading'), files),
    section(say('layout.footer.contact'), [`- [${email}](mailto:${email})`]),
    section(say('layout.language.menu'), others),
  ].join('\n\n')
}

/** Whether the English document is shown in another language, because there is none in that language. */
const isInsteadOf = (
  { base, language }: FactFiles['documents'][number],
  documents: FactFiles['documents'],
  wanted: Language,
): boolean =>
  language === 'en' &&
  !isAlwaysComplete(wanted) &&
  !documents.some((each) => each.base === base && each.language === wanted)

const section = (heading: string, entries: readonly string[]): string =>
  `## ${heading}\n\n${entries.join('\n')}`

const link = (title: string, address: string, description: string): string =>
  `- [${title.replaceAll(/[[\]]/g, String.raw`\$&`)}](${address}): ${description}`

import { isAlwaysComplete, languages, type Language } from '#contract/platform/languages.ts'
import type { Call } from '../call/call.ts'
import { messagesFrom } from './messages-from.ts'
import { isPartial } from '../i18n/missing-translations.ts'

/** Returns the languages that are currently complete. Only these are announced to search engines. */
export async function languagesInFull(call: Call): Promise<Language[]> {
  const isFull = await Promise.all(
    languages.map(
      async (language) =>
        isAlwaysComplete(language) || !isPartial(await messagesFrom(call, language, ['layout'])),
    ),
  )
  return languages.filter((_, at) => isFull[at])
}

import type { Language } from '#contract/fields.ts'
import type { Messages, Namespace } from './message-key.ts'

const files = import.meta.glob<Messages>('../../content/messages/*/*.json', { import: 'default' })

/** The messages of some namespaces in one map. Each file is a chunk that the browser fetches once. */
export async function loadMessages(language: Language, namespaces: readonly Namespace[]): Promise<Messages> {
  const loaded = await Promise.all(
    namespaces.map((namespace) => {
      const load = files[`../../content/messages/${language}/${namespace}.json`]
      return load ? load() : Promise.reject(new Error(`no words: ${language}/${namespace}`))
    }),
  )
  return Object.assign({}, ...loaded) as Messages
}

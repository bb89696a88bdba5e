import type { Language } from '#contract/platform/fields.ts'
import en from '#content/privacy/en.json' with { type: 'json' }
import { fill, type ValuesFor } from '../../platform/text/fill.ts'
import type { PartName } from '../../platform/module.ts'
import type { ArchivePlaceholders } from '../../platform/text/placeholders.ts'
import { readTranslations } from '../../platform/site-content/read-translations.ts'

type Words = typeof en
const words = readTranslations('privacy', en)

/** The parts of the export, in the order in which they are explained. */
export const partNames = Object.keys(en.files) as PartName[]

type Keys<Group, Prefix extends string = ''> = {
  [Key in keyof Group & string]: Group[Key] extends string
    ? `${Prefix}${Key}`
    : Keys<Group[Key], `${Prefix}${Key}.`>
}[keyof Group & string]

type ArchiveKey = Keys<Words>
type PlaceholderOf<Key> = Key extends keyof ArchivePlaceholders ? ArchivePlaceholders[Key] : never

/** Returns a sentence of the archive by its path, for example `kept.orders`. */
export const archiveText =
  (language: Language) =>
  <Key extends ArchiveKey>(key: Key, ...[values]: ValuesFor<PlaceholderOf<Key>>): string => {
    const [group, name] = key.split('.') as [keyof Words, string | undefined]
    const found = words(language)[group]
    return fill(typeof found === 'string' ? found : (found as Record<string, string>)[name!]!, values)
  }

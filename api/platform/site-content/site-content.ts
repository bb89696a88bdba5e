import type { Brand } from '#contract/publishing/content.ts'
import { isAlwaysComplete, type Language } from '#contract/platform/languages.ts'
import { documentsFile, publicDataFiles } from '#contract/publishing/public-content.ts'
import { completeWords, filledEntries, filledWords, withCaptions, withoutNotice } from './further-language.ts'
import { isRecord } from '../is-record.ts'
import { readContentFiles, type ContentFiles, type Words } from './content-files.ts'

/** A PDF of the site, as listed in `content/media/pdfs/documents.json`. */
export type ListedDocument = {
  file: string
  base: string
  language: string
  title: string
  version: string
  date: string
  pages: number
  bytes: number
  sha256: string
}

/**
 * The current content of the site: the files of `content/`, overlaid with what the team has published. It is held in
 * memory and is the same in every instance.
 */
export type SiteContent = {
  /** Messages of one file, by key; `undefined` if there is no such file. */
  words(language: Language, file: string): Words | undefined
  /** All messages of a language, by key. */
  allWords(language: Language): Words
  /** The value of one data file, for example `facts/roadmap.json`; `undefined` if there is no such file. */
  facts(file: string): unknown
  brand(): Brand
  documents(): readonly ListedDocument[]
  /** Changed email texts, by key (`mail/mail-texts.ts`). */
  mailTexts(language: Language): Words
  /** Number of texts for visitors that a language lacks and shows in English. */
  gapsIn(language: Language): number
  /**
   * Replaces all published changes, keyed by the path they change: `messages/home` with the changed keys of each
   * language, `mails/orders` likewise, `facts/roadmap.json` and `documents` as a whole, `brand.json` with its changed
   * parts. The caller has validated them.
   */
  override(overrides: ReadonlyMap<string, unknown>): void
  /** Reads the files again, in development. */
  reread(): void
  /** Called after every change, when the new content is already in effect. */
  onChange(listener: () => void): void
}

export function makeSiteContent(read: () => ContentFiles = readContentFiles): SiteContent {
  const listeners: (() => void)[] = []
  let files = read()
  let overrides: ReadonlyMap<string, unknown> = new Map()
  let current = resolve(files, overrides)
  /**
   * Merged texts by language, cached until the content changes: merging thousands of texts takes about a millisecond.
   */
  const merged = new Map<Language, Words>()

  const change = () => {
    current = resolve(files, overrides)
    merged.clear()
    for (const listener of listeners) listener()
  }
  return {
    words: (language, file) => current.words.get(language)?.get(file),
    allWords(language) {
      const words =
        merged.get(language) ?? (Object.assign({}, ...(current.words.get(language)?.values() ?? [])) as Words)
      merged.set(language, words)
      return words
    },
    facts: (file) => current.facts.get(file),
    brand: () => current.brand,
    mailTexts: (language) =>
      Object.assign(
        {},
        ...[...overrides].map(([path, changed]) =>
          path.startsWith('mails/') && isRecord(changed) ? changed[language] : undefined,
        ),
      ) as Words,
    gapsIn: (language) => current.gaps.get(language) ?? 0,
    documents: () => current.facts.get(documentsFile) as readonly ListedDocument[],
    override(next) {
      overrides = next
      change()
    },
    reread() {
      files = read()
      change()
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

type Resolved = Pick<ContentFiles, 'words' | 'facts'> & { brand: Brand; gaps: ReadonlyMap<Language, number> }

function resolve(files: ContentFiles, overrides: ReadonlyMap<string, unknown>): Resolved {
  const gaps = new Map<Language, number>()
  const addGaps = (language: Language, count = 1) =>
    void gaps.set(language, (gaps.get(language) ?? 0) + count)
  const facts = [...files.facts, [documentsFile, files.documents] as const].map(([file, given]) => {
    const isRead = isShown(file)
    const value = filledEntries(overrides.get(file) ?? given, (language) => isRead && addGaps(language))
    return [file, file === 'facts/films.json' ? withCaptions(value, files.films) : value] as const
  })
  const changed = overrides.get('brand.json')
  const parts = Object.entries({ ...files.brand, ...(isRecord(changed) && changed) })
  // Null marks a removed part of the file.
  const left = Object.fromEntries(parts.filter(([, part]) => part !== null))
  const brand = filledEntries(left, addGaps) as Brand
  return { words: resolveWords(files.words, overrides, gaps, addGaps), facts: new Map(facts), brand, gaps }
}

const isShown = (file: string): boolean => (publicDataFiles as readonly string[]).includes(file)

function resolveWords(
  files: ContentFiles['words'],
  overrides: ReadonlyMap<string, unknown>,
  gaps: ReadonlyMap<Language, number>,
  addGaps: (language: Language, count: number) => void,
): ContentFiles['words'] {
  const english = files.get('en') ?? new Map<string, Words>()
  const laidOver = (language: Language) => {
    const own = files.get(language)
    return new Map(
      [...english].map(([name, known]) => {
        const changed = overrides.get(`messages/${name}`)
        return [
          name,
          withChanges(own?.get(name) ?? {}, isRecord(changed) ? changed[language] : undefined, known),
        ]
      }),
    )
  }
  const spoken = new Map([...files.keys()].map((language) => [language, laidOver(language)]))
  const resolved = [...spoken].map(([language, own]) => {
    if (isAlwaysComplete(language)) return [language, completeWords(own)] as const
    const { words, gaps: missing } = filledWords(spoken.get('en')!, own)
    addGaps(language, missing)
    return [language, (gaps.get(language) ?? 0) > 0 ? words : withoutNotice(words)] as const
  })
  return new Map(resolved)
}

/** Ignores keys that this release no longer knows. */
function withChanges(given: Words, changed: unknown, english: Words): Words {
  if (!isRecord(changed)) return given
  const known = Object.entries(changed).filter(
    (entry): entry is [string, string] => Object.hasOwn(english, entry[0]) && typeof entry[1] === 'string',
  )
  return { ...given, ...Object.fromEntries(known) }
}

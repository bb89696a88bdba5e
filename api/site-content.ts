import { documentsFile, type Brand } from '#contract/content.ts'
import type { Language } from '#contract/fields.ts'
import { isRecord } from './is-record.ts'
import { readContentFiles, type ContentFiles, type Words } from './content-files.ts'

/** A PDF of the site, as `content/media/pdfs/documents.json` lists it. */
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
 * Everything that the site says, as it holds now: the files of `content/`, and over them what the team has published. It is
 * in memory and the same in every instance.
 */
export type SiteContent = {
  /** Of one message file, by key; `undefined` if there is none of this name. */
  words(language: Language, file: string): Words | undefined
  /** All messages of a language, by key. */
  allWords(language: Language): Words
  /** The value of one file of facts, such as `facts/roadmap.json`; `undefined` if there is none of this name. */
  facts(file: string): unknown
  brand(): Brand
  documents(): readonly ListedDocument[]
  /**
   * Replaces all that was published, by the path of what it changes: `messages/home` with the changed keys of each language,
   * `facts/roadmap.json` and `documents` whole, `brand.json` with its parts that were changed. It must have passed the rules.
   */
  override(overrides: ReadonlyMap<string, unknown>): void
  /** Reads the files anew, in development. */
  reread(): void
  /** Called after every change, when the new content already holds. */
  onChange(listener: () => void): void
}

export function makeSiteContent(read: () => ContentFiles = readContentFiles): SiteContent {
  const listeners: (() => void)[] = []
  let files = read()
  let overrides: ReadonlyMap<string, unknown> = new Map()
  let current = resolve(files, overrides)

  const change = () => {
    current = resolve(files, overrides)
    for (const listener of listeners) listener()
  }
  return {
    words: (language, file) => current.words.get(language)?.get(file),
    allWords: (language) => Object.assign({}, ...(current.words.get(language)?.values() ?? [])) as Words,
    facts: (file) => current.facts.get(file),
    brand: () => current.brand,
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

type Resolved = Pick<ContentFiles, 'words' | 'facts'> & { brand: Brand }

function resolve(files: ContentFiles, overrides: ReadonlyMap<string, unknown>): Resolved {
  const words = [...files.words].map(([language, byName]) => {
    const laid = [...byName].map(([name, given]) => {
      const changed = overrides.get(`messages/${name}`)
      return [name, withChanges(given, isRecord(changed) ? changed[language] : undefined)] as const
    })
    return [language, new Map(laid)] as const
  })
  const facts = [...files.facts, [documentsFile, files.documents] as const].map(
    ([file, given]) => [file, overrides.get(file) ?? given] as const,
  )
  const brand = overrides.get('brand.json')
  return {
    words: new Map(words),
    facts: new Map(facts),
    brand: { ...files.brand, ...(isRecord(brand) && brand) } as Brand,
  }
}

/** A key that the program does not know any more changes nothing. */
function withChanges(given: Words, changed: unknown): Words {
  if (!isRecord(changed)) return given
  const known = Object.entries(changed).filter(
    (entry): entry is [string, string] => Object.hasOwn(given, entry[0]) && typeof entry[1] === 'string',
  )
  return { ...given, ...Object.fromEntries(known) }
}

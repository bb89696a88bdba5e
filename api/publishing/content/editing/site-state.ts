import type { LegalDocument } from '#contract/people/consents.ts'
import { isEmailItem } from '#contract/publishing/content-emails.ts'
import { isRecord } from '../../../platform/is-record.ts'
import { withMailTexts } from '../../../platform/mail/mail-texts.ts'
import { languages } from '#contract/platform/languages.ts'
import { checkContent } from '../rules/check-content.ts'
import { documentsList, type GivenContent } from '../rules/read-given.ts'
import { laterVersion } from '../rules/legal-version.ts'
import type { Found } from '../rules/problem.ts'
import type { DocumentEntry } from '#contract/publishing/console-content-files.ts'
import {
  fileValueOf,
  kindOf,
  laidOver,
  listedDocuments,
  overrideFor,
  optionalParts,
  itemOfFile,
  type Documents,
  type ItemValue,
} from './content-item.ts'

/** Overrides from the database. */
export type Published = {
  /** By item. */
  overrides: ReadonlyMap<string, unknown>
  legal: ReadonlyMap<LegalDocument, string>
  /** The names of uploaded pictures. */
  pictures: readonly string[]
}

/** The published value of an item, in this release. */
export const publishedValue = (files: GivenContent, { overrides }: Published, piece: string): ItemValue =>
  laidOver(piece, fileValueOf(files, piece), overrides.get(piece))

/** Returns the same state with other values of some items. */
export function withValues(
  files: GivenContent,
  published: Published,
  values: ReadonlyMap<string, ItemValue>,
): Published {
  const overrides = new Map(published.overrides)
  for (const [piece, value] of values) {
    const override = overrideFor(piece, fileValueOf(files, piece), value)
    if (override === null) overrides.delete(piece)
    else overrides.set(piece, override)
  }
  return { ...published, overrides }
}

export function currentLegal(files: GivenContent, legal: Published['legal']): Record<LegalDocument, string> {
  const ofFile = (files.json('brand.json') as { legal: Record<LegalDocument, string> }).legal
  const current = (document: LegalDocument) =>
    laterVersion(ofFile[document], legal.get(document) ?? ofFile[document])
  return { terms: current('terms'), privacy: current('privacy') }
}

/** All PDFs: those of the files unless they were withdrawn or replaced, and those that were uploaded. */
export function documentsWith(files: GivenContent, { overrides }: Published): DocumentEntry[] {
  const uploaded = new Map<string, DocumentEntry>()
  const withdrawn = new Set<string>()
  for (const [piece, override] of overrides)
    if (kindOf(piece) === 'document')
      for (const language of languages.filter((each) => Object.hasOwn(override as object, each))) {
        const entry = (override as Documents)[language]
        if (entry) uploaded.set(entry.file, entry)
        else withdrawn.add(`${piece} ${language}`)
      }
  const kept = listedDocuments(files).flatMap((entry) => {
    if (withdrawn.has(`documents/${entry.base} ${entry.language}`)) return []
    const over = uploaded.get(entry.file)
    uploaded.delete(entry.file)
    return [over ?? entry]
  })
  return [...kept, ...uploaded.values()]
}

/** The content as these files would be. */
export function contentWith(files: GivenContent, published: Published): GivenContent {
  const documents = documentsWith(files, published)
  const legal = currentLegal(files, published.legal)
  return {
    json(file) {
      const brand = files.json('brand.json') as object
      if (file === 'brand.json') {
        const parts = publishedValue(files, published, 'brand.json') as object
        const kept = Object.entries(brand).filter(([part]) => part in parts || !optionalParts.includes(part))
        return { ...Object.fromEntries(kept), ...parts, legal }
      }
      if (file === documentsList) return files.json(documentsList) && documents
      if (file.startsWith('emails/')) return emailsWith(files.json(file), file, published)
      const [, language, name] = /^messages\/([a-z]+)\/(.*)\.json$/.exec(file) ?? []
      if (!language || !name) return published.overrides.get(file) ?? files.json(file)
      if (!published.overrides.has(`messages/${name}`)) return files.json(file)
      return (publishedValue(files, published, `messages/${name}`) as Record<string, unknown>)[language]
    },
    names(folder) {
      if (folder === 'media/people') return [...files.names(folder), ...published.pictures]
      if (folder === 'media/pdfs') {
        const listed = new Set(listedDocuments(files).map(({ file }) => file))
        const others = files.names(folder).filter((file) => !listed.has(file))
        return [...others, ...documents.map(({ file }) => file)]
      }
      const [, language] = /^messages\/([a-z]+)$/.exec(folder) ?? []
      if (!language) return files.names(folder)
      // A further language may have texts that are only published here.
      const here = [...published.overrides].filter(
        ([piece, texts]) => piece.startsWith('messages/') && isRecord(texts) && isRecord(texts[language]),
      )
      return [
        ...new Set([
          ...files.names(folder),
          ...here.map(([piece]) => `${piece.slice('messages/'.length)}.json`),
        ]),
      ]
    },
  }
}

/** An email file with the published changes applied. */
function emailsWith(mails: unknown, file: string, { overrides }: Published): unknown {
  const [, language = ''] = /^emails\/([a-z]+)\.json$/.exec(file) ?? []
  const changed = [...overrides].flatMap(([piece, override]) =>
    isEmailItem(piece) && isRecord(override) && isRecord(override[language]) ? [override[language]] : [],
  )
  if (changed.length === 0 || !isRecord(mails)) return mails
  const texts = Object.assign({}, ...changed) as Record<string, string>
  return withMailTexts(mails, (key, text) => texts[key] ?? text)
}

/** Everything that is wrong with the content in this state. */
export const checkState = (files: GivenContent, published: Published): Found[] =>
  checkContent(contentWith(files, published), files)

/** The overrides in the format of `SiteContent`. */
export function overridesOf(files: GivenContent, published: Published): Map<string, unknown> {
  const site = new Map<string, unknown>()
  let hasDocuments = false
  for (const [piece, override] of published.overrides)
    if (kindOf(piece) === 'document') hasDocuments = true
    else site.set(piece, override)
  if (hasDocuments) site.set('documents', documentsWith(files, published))
  if (published.legal.size > 0)
    site.set('brand.json', {
      ...(site.get('brand.json') as object | undefined),
      legal: currentLegal(files, published.legal),
    })
  return site
}

/** Leaves out items that break the rules of this release, and names them. */
export function withoutBroken(
  files: GivenContent,
  published: Published,
): { published: Published; leftOut: string[] } {
  const leftOut: string[] = []
  let rest = published
  while (rest.overrides.size > 0) {
    const broken = new Set(checkState(files, rest).map(({ file, place }) => itemOfFile(file, place)))
    const named = [...rest.overrides.keys()].filter((piece) => broken.has(piece))
    if (named.length === 0) break
    leftOut.push(...named)
    const overrides = new Map([...rest.overrides].filter(([piece]) => !named.includes(piece)))
    // Members can't accept a version whose text is not shown, so the files' versions apply again.
    const legal = named.includes('messages/legal') ? new Map<LegalDocument, string>() : rest.legal
    rest = { ...rest, overrides, legal }
  }
  return { published: rest, leftOut }
}

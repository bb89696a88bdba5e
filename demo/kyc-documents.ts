import { readFileSync } from 'node:fs'
import { languageOf, sampleName } from './world.ts'

/** The text on the drawn identity card of the person with that number (`scripts/make-sample-documents.ts`). */
export function sampleIdentity(n: number): { name: string; born: string; country: string; number: string } {
  const language = languageOf(n)
  const two = (value: number) => String(value).padStart(2, '0')
  return {
    name: sampleName(n, language).whole,
    born: `${1961 + ((n * 7) % 41)}-${two(1 + ((n * 5) % 12))}-${two(1 + ((n * 11) % 28))}`,
    country: language === 'cn' ? '示例国' : 'Exampleland',
    number: `SAMPLE ${String(n * 7919).padStart(6, '0')}`,
  }
}

export const sampleDocuments = ['card', 'portrait', 'letter'] as const
export type SampleDocument = (typeof sampleDocuments)[number]

/** The number of different portraits and letters. People share them, and each gets a copy of their own. */
export const kindsOfOthers = 4

export const fileOfDocument = (document: SampleDocument, n: number): URL =>
  new URL(
    `../content/samples/documents/${document}-${document === 'card' ? n : n % kindsOfOthers}.jpg`,
    import.meta.url,
  )

/**
 * Returns the drawn picture, with the number of its owner in a comment (JPEG marker FFFE), because two people who
 * submit exactly the same bytes would be flagged as duplicates.
 */
export function readSampleDocument(document: SampleDocument, n: number): Buffer {
  const picture = readFileSync(fileOfDocument(document, n))
  const comment = Buffer.from(`sample ${document} ${n}`)
  const marker = Buffer.from([0xff, 0xfe, 0, comment.length + 2])
  return Buffer.concat([picture.subarray(0, 2), marker, comment, picture.subarray(2)])
}

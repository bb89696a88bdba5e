import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { completeLanguages } from '#contract/platform/languages.ts'
import type { Said } from './find-sample.ts'

/** Returns the texts and media of a `content` folder. */
export function readSiteTexts(folder: string): Said {
  const read = (file: string): unknown =>
    existsSync(join(folder, file)) ? JSON.parse(readFileSync(join(folder, file), 'utf8')) : undefined
  const media = ['films', 'icons', 'share', 'pdfs'].flatMap((kind) => filesIn(folder, `media/${kind}`))
  return {
    brand: read('brand.json'),
    colours: read('colours.json'),
    facts: read,
    words: (language, file) => read(`messages/${language}/${file}.json`) as ReturnType<Said['words']>,
    media: media
      .filter(({ place }) => /\.(?:mp4|avif|jpg|png|ico|svg|pdf)$/.test(place))
      .map(({ place, bytes }) => ({ place, sha256: createHash('sha256').update(bytes).digest('hex') })),
    sources: completeLanguages.flatMap((language) => [
      ...filesIn(folder, `documents/${language}`).map(({ place, bytes }) => ({
        place,
        language,
        text: bodyOf(bytes.toString()),
      })),
      ...media
        .filter(({ place }) => place.endsWith(`-${language}.vtt`))
        .map(({ place, bytes }) => ({ place, language, text: bytes.toString() })),
    ]),
  }
}

/** Returns the text without the title, version, and date before it. */
const bodyOf = (document: string): string => document.replace(/^---\n[^]*?\n---\n/, '')

const filesIn = (folder: string, kind: string): { place: string; bytes: Buffer }[] =>
  existsSync(join(folder, kind))
    ? readdirSync(join(folder, kind))
        .toSorted()
        .map((file) => ({ place: `${kind}/${file}`, bytes: readFileSync(join(folder, kind, file)) }))
    : []

import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Caption, writeCaptions } from './captions.ts'
import { encodeFilm, type Encoding } from './encode.ts'
import { type Poster, writePosters } from './poster.ts'
import { renderFilm } from './render.ts'
import { openStudio, type Studio } from './studio.ts'

/* Makes the films of content/facts/films.json in content/media/films: each codec, posters, captions, and made.json,
   which lists them. `npm run make:films -- hero` makes one; `--encode-only` after it keeps the frames drawn last
   time. */

type FilmEntry = { file: string; seconds: number; place: string; captions?: Caption[] }
type Made = {
  width: number
  height: number
  seconds: number
  sources: { file: string; width: number; type: string; bytes: number }[]
  posters: Poster[]
}

const ROOT = resolve(import.meta.dirname, '../..')
const FILMS = join(ROOT, 'content/media/films')
const MASTERS = join(ROOT, '.cache/films')
const LIST = join(FILMS, 'made.json')

const kB = 1000
const HERO: Encoding[] = [
  { codec: 'av1', width: 1920, quality: 50, bytesMax: 1500 * kB, secondsBetweenKeys: 12 },
  { codec: 'h264', width: 1920, quality: 34, bytesMax: 1500 * kB, secondsBetweenKeys: 12 },
]
const STORY: Encoding[] = [
  { codec: 'av1', width: 1280, quality: 36, bytesMax: 1900 * kB, secondsBetweenKeys: 5 },
  { codec: 'h264', width: 1280, quality: 25, bytesMax: 1900 * kB, secondsBetweenKeys: 5 },
]
/** A separate still for screens too narrow for the hero's film. */
const NARROW_HERO = 'hero-narrow'
const SMALL_POSTER = 640

async function makePosters(studio: Studio, entry: FilmEntry): Promise<Poster[]> {
  const base = join(FILMS, entry.file)
  const facts = await studio.open(entry.file)
  const picture = await studio.shoot(facts.posterAt)
  const posters = await writePosters(picture, facts, base)
  if (entry.place !== 'hero') {
    return [...posters, ...(await writePosters(picture, facts, `${base}-${SMALL_POSTER}`, SMALL_POSTER))]
  }
  const narrow = await studio.open(NARROW_HERO)
  return [
    ...posters,
    ...(await writePosters(await studio.shoot(narrow.posterAt), narrow, join(FILMS, NARROW_HERO))),
  ]
}

async function makeFilm(studio: Studio, entry: FilmEntry, isDrawn: boolean): Promise<Made> {
  const name = entry.file
  const posters = await makePosters(studio, entry)
  const facts = await studio.open(name)
  if (facts.seconds !== entry.seconds)
    throw new Error(`${name} lasts ${facts.seconds} s, its words ${entry.seconds} s`)
  if (entry.captions) await writeCaptions(entry.captions, join(FILMS, name))
  const master = join(MASTERS, `${name}.mkv`)
  if (!isDrawn || !existsSync(master)) await renderFilm(studio, facts, master)

  const sources = []
  for (const encoding of entry.place === 'hero' ? HERO : STORY) {
    const file = `${name}${encoding.codec === 'av1' ? '.av1' : ''}.mp4`
    sources.push({
      file,
      width: encoding.width,
      ...(await encodeFilm(master, facts.framesPerSecond, encoding, join(FILMS, file))),
    })
  }
  return { width: facts.width, height: facts.height, seconds: facts.seconds, sources, posters }
}

const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isDrawn = process.argv.includes('--encode-only')
const entries = JSON.parse(await readFile(join(ROOT, 'content/facts/films.json'), 'utf8')) as FilmEntry[]
await mkdir(FILMS, { recursive: true })
await mkdir(MASTERS, { recursive: true })

const studio = await openStudio()
try {
  for (const entry of entries.filter(({ file }) => chosen.length === 0 || chosen.includes(file))) {
    const made = await makeFilm(studio, entry, isDrawn)
    const list = existsSync(LIST) ? (JSON.parse(await readFile(LIST, 'utf8')) as Record<string, Made>) : {}
    await writeFile(LIST, JSON.stringify({ ...list, [entry.file]: made }, null, 2) + '\n')
    console.log(
      entry.file,
      made.sources.map(({ file, bytes }) => `${file} ${Math.round(bytes / kB)} kB`).join(', '),
    )
  }
} finally {
  await studio.close()
}

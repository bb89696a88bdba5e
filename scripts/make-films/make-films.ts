import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { type FilmFacts, openStudio, type Studio } from './studio.ts'

/* Makes the films of content/facts/films.json in content/media/films: each codec, posters, captions, and made.json,
   which lists them. `npm run make:films -- hero` makes one; `--encode-only` after it keeps the frames drawn last
   time. */

type Caption = { start: number; end: number; en: string; cn: string }

const LANGUAGES = ['en', 'cn'] as const

function clock(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 23)
}

/** Writes the words of a film as WebVTT, one file per language. */
async function writeCaptions(captions: Caption[], base: string): Promise<void> {
  for (const language of LANGUAGES) {
    const cues = captions.map(
      ({ start, end, [language]: words }) => `${clock(start)} --> ${clock(end)}\n${words}`,
    )
    await writeFile(`${base}-${language}.vtt`, `WEBVTT\n\n${cues.join('\n\n')}\n`)
  }
}

type FilmEntry = { file: string; seconds: number; place: string; captions?: Caption[] }

type Poster = { file: string; width: number; bytes: number }

/** Writes a raw RGBA picture as AVIF and JPEG for a film's poster, scaled down if a width is given. */
async function writePosters(
  picture: Buffer,
  size: { width: number; height: number },
  base: string,
  width: number = size.width,
): Promise<Poster[]> {
  const source = sharp(picture, { raw: { width: size.width, height: size.height, channels: 4 } })
    .removeAlpha()
    .resize({ width, kernel: 'lanczos3' })
  await source.clone().avif({ quality: 36, effort: 5, chromaSubsampling: '4:4:4' }).toFile(`${base}.avif`)
  await source.clone().jpeg({ quality: 62, mozjpeg: true }).toFile(`${base}.jpg`)
  return Promise.all(
    ['avif', 'jpg'].map(async (kind) => {
      const file = `${base}.${kind}`
      return { file: basename(file), width, bytes: (await stat(file)).size }
    }),
  )
}

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

const run = promisify(execFile)

type Codec = 'av1' | 'h264'

type Encoding = {
  codec: Codec
  /** Width in pixels. The height follows from it. */
  width: number
  /** The quality at which the search for the best one within the limit begins. Lower values are better and larger. */
  quality: number
  bytesMax: number
  /** Seconds between key frames, to which a viewer can seek. */
  secondsBetweenKeys: number
}

const BT709 = [
  '-color_primaries',
  'bt709',
  '-color_trc',
  'bt709',
  '-colorspace',
  'bt709',
  '-color_range',
  'tv',
]

function codecOptions({ codec, quality }: Encoding, keyEvery: number): string[] {
  const every = ['-g', String(keyEvery)]
  // Ten bits avoid banding in the dark background. H.264 players support only eight.
  if (codec === 'av1')
    return ['-pix_fmt', 'yuv420p10le', '-c:v', 'libsvtav1', '-preset', '6', '-crf', String(quality), ...every]
  const h264 = [
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx264',
    '-preset',
    'veryslow',
    '-tune',
    'animation',
    // The preset uses sixteen reference frames, more than the decoders of many phones support.
    '-refs',
    '4',
    '-crf',
    String(quality),
  ]
  return [...h264, ...every]
}

/** Encodes the master into `file` at the best quality within `bytesMax`. Returns the file's size and its MIME type. */
async function encodeFilm(
  master: string,
  framesPerSecond: number,
  encoding: Encoding,
  file: string,
): Promise<{ bytes: number; type: string }> {
  const scale = `scale=${encoding.width}:-2:flags=lanczos:out_color_matrix=bt709:out_range=tv`
  const options = codecOptions(encoding, encoding.secondsBetweenKeys * framesPerSecond)
  await run('ffmpeg', [
    '-y',
    '-loglevel',
    'error',
    '-i',
    master,
    '-an',
    '-vf',
    scale,
    ...options,
    ...BT709,
    // Puts the index first, so that a browser can start playing immediately.
    '-movflags',
    '+faststart',
    file,
  ])
  const bytes = (await stat(file)).size
  if (bytes <= encoding.bytesMax) return { bytes, type: await typeOf(file) }
  const coarser = { ...encoding, quality: encoding.quality + (bytes > encoding.bytesMax * 1.25 ? 3 : 1) }
  return encodeFilm(master, framesPerSecond, coarser, file)
}

/** Returns the exact codec string, by which a browser knows before loading whether it can play the file (RFC 6381). */
async function typeOf(file: string): Promise<string> {
  const asked = [
    '-v',
    'error',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=codec_name,level',
    '-of',
    'json',
    file,
  ]
  const { streams } = JSON.parse((await run('ffprobe', asked)).stdout) as {
    streams: { codec_name: string; level: number }[]
  }
  const { codec_name: name, level } = streams[0]!
  if (name === 'av1') return `video/mp4; codecs="av01.0.${String(level).padStart(2, '0')}M.10"`
  return `video/mp4; codecs="avc1.6400${level.toString(16)}"`
}

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

/** Draws every frame of the opened film and stores them losslessly in `file` (Matroska, RGB). */
async function renderFilm(studio: Studio, facts: FilmFacts, file: string): Promise<void> {
  const { width, height, seconds, framesPerSecond } = facts
  const frames = Math.round(seconds * framesPerSecond)
  const ffmpeg = spawn(
    'ffmpeg',
    [
      '-y',
      '-loglevel',
      'error',
      '-f',
      'rawvideo',
      '-pixel_format',
      'rgba',
      '-video_size',
      `${width}x${height}`,
      '-framerate',
      String(framesPerSecond),
      '-i',
      '-',
      '-c:v',
      'libx264rgb',
      '-preset',
      'ultrafast',
      '-qp',
      '0',
      file,
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  )
  const ended = once(ffmpeg, 'close')
  for (let frame = 0; frame < frames; frame++) {
    const picture = await studio.shoot(frame / framesPerSecond)
    if (!ffmpeg.stdin.write(picture)) await once(ffmpeg.stdin, 'drain')
  }
  ffmpeg.stdin.end()
  const [code] = await ended
  if (code !== 0) throw new Error(`ffmpeg ended with ${code} while keeping ${file}`)
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

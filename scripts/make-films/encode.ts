import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

type Codec = 'av1' | 'h264'

export type Encoding = {
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
export async function encodeFilm(
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

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { FilmFacts, Studio } from './studio.ts'

/** Draws every frame of the opened film and stores them losslessly in `file` (Matroska, RGB). */
export async function renderFilm(studio: Studio, facts: FilmFacts, file: string): Promise<void> {
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

import { Worker } from 'node:worker_threads'
import { SECOND } from '#contract/platform/durations.ts'

const decodingMax = 20 * SECOND

/** RGBA pixels, one byte per channel, upright. */
type Pixels = { width: number; height: number; data: Uint8Array }

/**
 * Recognizes the brands that Apple's and Android's cameras and libheif write into the `ftyp` box (ISO/IEC 23008-12).
 */
export const isHeic = (bytes: Buffer): boolean =>
  /^ftyp(heic|heix|hevc|hevx|mif1|msf1)/.test(bytes.subarray(4, 12).toString('latin1'))

let last: Promise<unknown> = Promise.resolve()

/**
 * Decodes the main picture of a HEIC file, one file at a time. Fails if the file is broken, has more than `pixelsMax`
 * pixels (checked before decoding), or takes longer than 20 seconds.
 */
export function decodeHeic(bytes: Buffer, pixelsMax: number): Promise<Pixels> {
  const decoded = last.then(() => decodeInThread(bytes, pixelsMax))
  last = decoded.catch(() => undefined)
  return decoded
}

function decodeInThread(bytes: Buffer, pixelsMax: number): Promise<Pixels> {
  const thread = new Worker(new URL('./heic-worker.ts', import.meta.url), {
    workerData: { bytes, pixelsMax },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    // Suppresses the decoder's output about broken files.
    stdout: true,
    stderr: true,
  })
  const timer = setTimeout(() => void thread.terminate(), decodingMax)
  return new Promise<Pixels>((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the picture could not be decoded')))
  }).finally(() => {
    clearTimeout(timer)
    void thread.terminate()
  })
}

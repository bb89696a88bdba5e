import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

export type Compressed = { gzip: Buffer; brotli: Buffer }
export type Level = { brotli: number; gzip: number }

/** A tenth of the time or less, and a fifth larger. */
export const quick: Level = { brotli: 5, gzip: 4 }
/** For what is large and made again and again. */
export const cheap: Level = { brotli: 1, gzip: 1 }
export const best: Level = { brotli: constants.BROTLI_MAX_QUALITY, gzip: constants.Z_BEST_COMPRESSION }

export const compressors = {
  br: (content: Buffer, level: Level): Promise<Buffer> => {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: level.brotli,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    }
    return compressBrotli(content, { params })
  },
  gzip: (content: Buffer, level: Level): Promise<Buffer> => compressGzip(content, { level: level.gzip }),
}
export type Encoding = keyof typeof compressors

/** One after the other: of the threads that compress, which hash passwords as well, it holds one. */
export async function compressTo(content: Buffer, level: Level): Promise<Compressed> {
  const gzip = await compressors.gzip(content, level)
  return { gzip, brotli: await compressors.br(content, level) }
}

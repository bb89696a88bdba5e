import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Fonts and pictures are compressed by their own formats. */
const compressible = new Set(['.js', '.css', '.svg'])

/**
 * Writes the smallest forms of each file beside it, as `.br` and `.gz`: done once for a build, so that no start pays for it
 * and the first visitor has them.
 */
export async function compressBuilt(directory: string): Promise<void> {
  const files = readdirSync(directory).filter((file) => compressible.has(extname(file)))
  await Promise.all(files.map((file) => compressFile(join(directory, file))))
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  const [brotli, gzipped] = await Promise.all([
    compressBrotli(content, { params }),
    compressGzip(content, { level: constants.Z_BEST_COMPRESSION }),
  ])
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)])
}

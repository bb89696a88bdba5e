import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { best, compressTo } from '../serve/response-cache/compress.ts'

/** Fonts and pictures are already compressed. */
const compressible = new Set(['.js', '.css', '.svg'])

/**
 * Writes the smallest compressed forms of each file next to it, as `.br` and `.gz`. They are created once per build, so
 * that starts are fast and the first visitor already gets them.
 */
export async function compressBuilt(directory: string): Promise<void> {
  const files = readdirSync(directory).filter((file) => compressible.has(extname(file)))
  await Promise.all(files.map((file) => compressFile(join(directory, file))))
}

async function compressFile(path: string): Promise<void> {
  const { brotli, gzip } = await compressTo(await readFile(path), best)
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzip)])
}

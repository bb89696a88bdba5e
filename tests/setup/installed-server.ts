import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { freePort } from './start-product.ts'

/** Starts and stops the current release as systemd would: from the link, with the settings file, in the background. */
const serviceManager = (home: string) => `#!/bin/sh
pid=$(cat ${home}/$2.pid 2>/dev/null)
case $1 in
start)
  [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && exit 0
  cd -P ${home}/current && set -a && . ${home}/settings && set +a || exit 1
  setsid node_modules/node/bin/node scripts/run.mjs start >> ${home}/log 2>&1 < /dev/null &
  echo $! > ${home}/$2.pid ;;
stop)
  [ -z "$pid" ] && exit 0
  kill "$pid" 2>/dev/null
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  rm ${home}/$2.pid ;;
is-active) [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null ;;
esac
`

/** A server that was installed from a release, with a service manager that runs on this machine. */
export async function installServer(home: string, archive: string, databaseUrl: string) {
  const port = await freePort()
  const releases = join(home, 'releases')
  mkdirSync(releases)
  execFileSync('tar', ['-xzf', archive, '-C', releases])
  const [first] = readdirSync(releases)
  symlinkSync(join(releases, first!), join(home, 'current'))
  writeFileSync(join(home, 'systemctl'), serviceManager(home), { mode: 0o755 })
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: join(home, 'data'),
    PORT: port,
    LOG_LEVEL: 'warn',
    MAIL_FROM: '"Coin <no-reply@coin.example>"',
    COIN_SERVICE_MANAGER: join(home, 'systemctl'),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(home, 'settings'), lines.join(''), { mode: 0o600 })
  return {
    first: first!,
    currentRelease: () => basename(readlinkSync(join(home, 'current'))),
    isReady: () =>
      fetch(`http://127.0.0.1:${port}/v2/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    manage: (verb: string) => execFileSync(join(home, 'systemctl'), [verb, 'coin']),
    coin: (...words: string[]): Call => call(home, words),
    ask: (text: string) => ask(databaseUrl, text),
    /** Packs a copy of the first release with another version, after a change. */
    packVariant: (version: string, change: (folder: string) => void) =>
      packVariant(join(releases, first!), join(home, 'archives'), { version, change }),
  }
}

type Call = { process: ChildProcess; ended: Promise<{ code: number | null; said: string }> }

function call(home: string, words: readonly string[]): Call {
  const child = spawn(join(home, 'current/coin'), words, {
    env: { PATH: process.env['PATH'], COIN_SETTINGS: join(home, 'settings') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, said }))
  })
  return { process: child, ended }
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

function packVariant(
  release: string,
  folder: string,
  { version, change }: { version: string; change: (folder: string) => void },
): string {
  mkdirSync(folder, { recursive: true })
  const name = `coin-site-v${version}-${process.platform}-${process.arch}`
  const [copy, archive] = [join(folder, name), join(folder, `${name}.tar.gz`)]
  // Links take no space. A changed file must be a new one.
  execFileSync('cp', ['--archive', '--link', release, copy])
  // The packages make up most of an archive, and they are always the same.
  rmSync(join(copy, 'node_modules'), { recursive: true })
  symlinkSync(join(release, 'node_modules'), join(copy, 'node_modules'))
  replaceFile(join(copy, 'VERSION'), `${version}\n`)
  change(copy)
  const quick = '--use-compress-program=gzip -1'
  execFileSync('tar', ['--create', quick, `--file=${archive}.new`, `--directory=${dirname(copy)}`, name])
  renameSync(`${archive}.new`, archive)
  rmSync(copy, { recursive: true })
  return archive
}

/** Writes a file of a variant without changing the release that it was copied from. */
export function replaceFile(path: string, text: string): void {
  rmSync(path, { force: true })
  writeFileSync(path, text)
}

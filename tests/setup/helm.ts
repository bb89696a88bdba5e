import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { unzip } from './unzip.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The package contains Helm for this platform only. */
export const hasHelm = process.platform === 'linux' && process.arch === 'x64'

/** The path of Helm, which is unpacked once. */
function findHelm(): string {
  const path = join(root, '.cache/helm')
  if (existsSync(path)) return path
  const main = createRequire(import.meta.url).resolve('@aws-cdk/asset-kubectl-v20')
  const files = unzip(readFileSync(join(dirname(main), 'layer.zip')))
  mkdirSync(dirname(path), { recursive: true })
  // Renamed when it is complete, because another worker may be looking for it.
  const unfinished = `${path}-${process.pid}`
  writeFileSync(unfinished, files.get('helm/helm')!, { mode: 0o755 })
  renameSync(unfinished, path)
  return path
}

/** Runs Helm on the chart in deploy/helm/coin. Rejects with its message. */
export async function helm(command: 'lint' | 'template', values: readonly string[] = []): Promise<string> {
  const chart = join(root, 'deploy/helm/coin')
  const names = command === 'template' ? ['coin', chart, '--kube-version', '1.30.0'] : [chart, '--strict']
  const set = values.flatMap((value) => ['--set', value])
  const env = { PATH: process.env['PATH'], HOME: join(root, '.cache') }
  const { stdout } = await promisify(execFile)(findHelm(), [command, ...names, ...set], { env })
  return stdout
}

import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../chain-nodes/', import.meta.url))

/** Whether the packages of the nodes are installed. They are not part of the product and are large. */
export const areNodesInstalled = (): boolean => existsSync(`${folder}node_modules/ganache`)

/** Installs the locked versions of the nodes, unless they are there. */
function installNodes(): void {
  if (areNodesInstalled()) return
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the nodes could not be installed: ${stderr.slice(-500)}`)
}

/** Starts a node of `tests/chain-nodes`, which ends with this process. */
export async function startNode(file: string, given: readonly number[]): Promise<ChildProcess> {
  installNodes()
  const child = fork(file, given.map(String), { cwd: folder, execArgv: ['--no-deprecation'], silent: true })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const hear = (text: Buffer) => {
      said += text.toString()
      if (said.includes('ready')) resolve()
    }
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', hear)
    child.once('exit', () => reject(new Error(said)))
  })
  return child
}

import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from './start-product.ts'

const folder = fileURLToPath(new URL('../chain-nodes/', import.meta.url))

/**
 * These packages are not part of the product and are large, so the first test that needs them installs their locked
 * versions.
 */
function install(): void {
  if (existsSync(`${folder}node_modules/ganache`)) return
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the nodes could not be installed: ${stderr.slice(-500)}`)
}

async function start(file: string, ports: readonly number[]): Promise<ChildProcess> {
  install()
  const child = fork(file, ports.map(String), { cwd: folder, execArgv: ['--no-deprecation'], silent: true })
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

export async function startBitcoinNode() {
  const [rpc, electrum, control, peer] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const child = await start('bitcoin.cjs', [rpc, electrum, control, peer])
  const act = async (of: Record<string, unknown>): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${control}`, { method: 'POST', body: JSON.stringify(of) })
    const { result, error } = (await answer.json()) as { result?: string; error?: string }
    if (error) throw new Error(error)
    return result ?? ''
  }
  return {
    urls: {
      bitcoin_rpc: `http://x:a-password@127.0.0.1:${rpc}`,
      electrum: `tcp://127.0.0.1:${electrum}`,
    },
    act,
    freeze: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
    stop: () => child.kill('SIGKILL'),
  }
}

export async function startEthereumNode() {
  const port = await freePort()
  const child = await start('ethereum.cjs', [port])
  const url = `http://127.0.0.1:${port}`
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await answer.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(error.message)
    return result
  }
  return { url, ask, stop: () => child.kill('SIGKILL') }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Account = { email: string; password: string }

/** Starts a demo of the built site in a new folder. `accounts` are the sample accounts that it prints, by title. */
export async function startDemo(
  dataDir: string,
  port: number,
): Promise<{ child: ChildProcess; accounts: Map<string, Account> }> {
  const child = spawn(process.execPath, ['server.ts'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DEMO: 'on',
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (text: Buffer) => (output += text.toString()))
  for (let tries = 0; tries < 600; tries += 1) {
    const isReady = await fetch(`http://localhost:${port}/v2/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (child.exitCode !== null) throw new Error('the demo did not start')
    if (isReady && output.includes('Password')) break
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const rows = output.matchAll(/^ {2}(.+?) {2,}(\S+@\S+) +(\S+)/gm)
  return {
    child,
    accounts: new Map(
      [...rows].map(([, title, email, password]) => [title!, { email: email!, password: password! }]),
    ),
  }
}

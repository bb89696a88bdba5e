import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs `npm run dev` with an invalid setting, in a process group of its own. */
function developWithMistake() {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['scripts/run.mjs', 'dev'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, PORT: 'none' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const isAnyLeft = () => {
    try {
      return process.kill(-child.pid!, 0)
    } catch {
      return false
    }
  }
  onTestFinished(() => void (isAnyLeft() && process.kill(-child.pid!, 'SIGKILL')))
  return { child, output: () => output, ended, isAnyLeft }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'where the program has ended by itself, %s ends the development server as well',
  async (signal) => {
    const { child, output, ended, isAnyLeft } = developWithMistake()
    await expect.poll(output).toContain('The application stopped. It restarts when you save a file.')
    expect(output()).toContain('PORT')
    expect(child.exitCode).toBeNull()
    child.kill(signal)
    expect(await ended).toBe(1)
    expect(isAnyLeft()).toBe(false)
  },
)

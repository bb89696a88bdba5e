import { spawn } from 'node:child_process'

type Outcome = { isDone: boolean; said: string }

/**
 * Runs a program to its end. It has a process group of its own, so that Ctrl+C doesn't interrupt a migration or a stop.
 * `said` is what it printed: its errors if there are any.
 */
export function runProgram(
  program: string,
  words: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Outcome> {
  const child = spawn(program, words, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (text: Buffer) => (printed[name] += text.toString()))
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ isDone: false, said: message }))
    child.once('close', (code) =>
      resolve({ isDone: code === 0, said: (printed.stderr || printed.stdout).trim() }),
    )
  })
}

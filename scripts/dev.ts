// Pages come from the sources through Vite, with hot reloading. Messages and data files are read again when a file is
// saved. A change in the API restarts the process, but the embedded database keeps running for the next one.
import { fork, type ChildProcess } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['api', 'demo', 'contract', 'serve', 'content/emails']
const files = ['server.ts', 'startup-message.ts', 'lifecycle.ts']
/** An editor may write a file in several steps. */
const pause = 50

let server = begin()
let isEnding = false
let timer: NodeJS.Timeout | undefined

function begin(): ChildProcess {
  const begun = fork(join(root, 'server.ts'), ['--from-sources'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'development' },
  })
  begun.on('exit', (code) => {
    if (isEnding) process.exit(code ?? 1)
    if (begun === server) console.error('The application stopped. It restarts when you save a file.')
  })
  return begun
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

function replace(): void {
  const last = server
  if (hasEnded(last)) {
    server = begin()
    return
  }
  last.removeAllListeners('exit')
  last.once('exit', () => {
    if (isEnding) process.exit(0)
    server = begin()
  })
  last.send('again', () => {})
}

function beginAgain(file: string | null): void {
  if (isEnding || (file && !/\.(?:ts|sql|json)$/.test(file)) || file?.endsWith('.test.ts')) return
  clearTimeout(timer)
  timer = setTimeout(replace, pause)
}

for (const folder of folders)
  watch(join(root, folder), { recursive: true }, (_event, file) => beginAgain(file))
watch(root, (_event, file) => file && files.includes(file) && beginAgain(file))
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => {
    isEnding = true
    // A process that has already ended sends no further exit event.
    if (hasEnded(server)) process.exit(server.exitCode ?? 1)
    server.kill(signal)
  })

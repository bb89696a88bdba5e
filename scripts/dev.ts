// Pages come from the sources through Vite, with hot reload; words and facts are read again when a file is saved; a change in the
// API restarts the process.
import { spawn } from 'node:child_process'

const watched = ['api', 'contract', 'serve', 'content/emails']
const server = spawn(
  process.execPath,
  [
    ...watched.map((path) => `--watch-path=${path}`),
    '--watch-preserve-output',
    'server.ts',
    '--from-sources',
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development' },
  },
)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 1))

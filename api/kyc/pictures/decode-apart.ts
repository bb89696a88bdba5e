import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SECOND } from '#contract/durations.ts'
import { Refused } from '../../refused.ts'

const decodingMax = 25 * SECOND
/** Each waiting picture is held in memory; who comes when so many wait is asked to come again. */
const waitingMax = 40

type Answer = { picture: Uint8Array | null; isLast: boolean }

let child: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** `cleanPicture` in a process of its own, one picture at a time; null where it failed, took too long or brought the process down. */
export function cleanPictureApart(bytes: Buffer): Promise<Buffer | null> {
  if (waiting >= waitingMax) throw new Refused('unavailable')
  waiting += 1
  const cleaned = last
    .then(() => ask(bytes))
    .finally(() => {
      waiting -= 1
    })
  last = cleaned.catch(() => undefined)
  return cleaned
}

function ask(bytes: Buffer): Promise<Buffer | null> {
  const asked = (child ??= start())
  return new Promise((resolve) => {
    const end = (picture: Uint8Array | null, mayStay: boolean) => {
      clearTimeout(timer)
      asked.off('message', hear).off('exit', fail)
      if (!mayStay) {
        asked.kill('SIGKILL')
        child = undefined
      }
      resolve(picture && Buffer.from(picture))
    }
    const hear = ({ picture, isLast }: Answer) => end(picture, !isLast)
    const fail = () => end(null, false)
    const timer = setTimeout(fail, decodingMax)
    asked.on('message', hear).on('exit', fail)
    asked.send(bytes, (error) => error && fail())
  })
}

/** It knows no setting and no secret, and does not keep the program from ending. */
function start(): ChildProcess {
  const started = fork(fileURLToPath(new URL('./picture-process.ts', import.meta.url)), {
    env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    execArgv: ['--max-old-space-size=256'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // One that dies while nobody asks is not asked again.
  started.on('exit', () => {
    if (child === started) child = undefined
  })
  started.on('error', () => {})
  started.unref()
  started.channel?.unref()
  return started
}

import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SECOND } from '#contract/durations.ts'
import { KIB, MIB } from '#contract/fields.ts'
import { Refused } from '../../refused.ts'

const decodingMax = 25 * SECOND
/** Each queued picture is held in memory; with a full queue, requests are answered `unavailable`. */
const waitingMax = 40
/**
 * What the process may have for data. A HEIC picture of 48 million pixels needs 1,800 MiB by this measure, of which a third is ever
 * touched; any other picture that is taken needs 1,200 at most.
 */
const dataMax = 2000 * MIB

type Answer = { picture: Uint8Array | null; isLast: boolean }

/** Null if the picture is broken, needs too much memory or time, or crashes the process. */
export type Decoder = (bytes: Buffer) => Promise<Buffer | null>

/** `cleanPicture` in a process of its own, one picture at a time. */
export const cleanPictureApart: Decoder = makeDecoder(dataMax)

/** A decoder whose process is limited to `dataMax` bytes of memory. */
export function makeDecoder(dataMax: number): Decoder {
  let child: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  function ask(bytes: Buffer): Promise<Buffer | null> {
    const asked = (child ??= start(dataMax, (gone) => {
      // A process that exits while idle is replaced.
      if (child === gone) child = undefined
    }))
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

  return (bytes) => {
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
}

/** It gets no settings and no secrets, and does not keep the program from exiting. */
function start(dataMax: number, onExit: (gone: ChildProcess) => void): ChildProcess {
  const started = fork(fileURLToPath(new URL('./picture-process.ts', import.meta.url)), {
    env: { MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    ...boundBySystem(dataMax, ['--max-old-space-size=256']),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  started.on('exit', () => onExit(started))
  started.on('error', () => {})
  started.unref()
  started.channel?.unref()
  return started
}

/**
 * Node cannot set resource limits, so a shell sets them (getrlimit(2)) and then executes Node: no more private memory than this, V8's and that of
 * native code alike; no file written, so that a picture never lies on a disk in plain, not even in a dump of the process. Only Linux
 * counts memory so.
 */
function boundBySystem(dataMax: number, execArgv: string[]) {
  if (process.platform !== 'linux') return { execArgv }
  const limits = `ulimit -c 0; ulimit -f 0; ulimit -d ${Math.floor(dataMax / KIB)}; exec "$0" "$@"`
  return { execPath: '/bin/sh', execArgv: ['-c', limits, process.execPath, ...execArgv] }
}

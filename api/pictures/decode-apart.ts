import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SECOND } from '#contract/durations.ts'
import { KIB, MIB } from '#contract/fields.ts'
import { StoreFailed } from '../files/store-failed.ts'
import type { Pieces } from '../uploads/receive-uploads.ts'
import { makeFairQueue } from './fair-queue.ts'

/** How long one picture may take. HEIC is decoded without help of the machine (`decode-heic.ts` has a limit of its own). */
const decodingMax = { heic: 25 * SECOND, other: 15 * SECOND }
/**
 * What the process may have for data. A HEIC picture of 48 million pixels needs 1,800 MiB by this measure, of which a third is ever
 * touched; any other picture that is taken needs 1,200 at most.
 */
const dataMax = 2000 * MIB

export type CleanPicture = { bytes: Buffer; width: number; height: number }
/** What the process is sent: the picture piece by piece, then null. */
export type Asked = { piece: Uint8Array | null }
/** What the process sends back. */
export type Answer = { picture: { bytes: Uint8Array; width: number; height: number } | null; isLast: boolean }

/**
 * Null if the picture is broken, needs too much memory or time, or crashes the process. `read` is called again where the process
 * was ended by somebody else: that is nothing against the picture.
 */
export type Decoder = (read: () => Pieces) => Promise<CleanPicture | null>

/** What a process is ended with from outside. One that crashes by itself gets others. */
const fromOutside: readonly (NodeJS.Signals | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']

const lanes = {
  heic: { enter: makeFairQueue(), decode: makeDecoder(dataMax, decodingMax.heic) },
  other: { enter: makeFairQueue(), decode: makeDecoder(dataMax, decodingMax.other) },
}

/**
 * `cleanPicture` in a process of its own, one picture at a time and fair to the owners. HEIC has a process apart, because it takes
 * ten times as long. `read` is called when it is the picture's turn, so that those who wait need no memory,
 * and passed on piece by piece.
 */
export function cleanPictureApart(
  owner: string,
  format: keyof typeof lanes,
  read: () => Pieces,
): Promise<CleanPicture | null> {
  const { enter, decode } = lanes[format]
  return enter(owner, () => decode(read))
}

/** A decoder whose process is limited to `dataMax` bytes of memory, and to `timeMax` for each picture. It is asked for one at a time. */
export function makeDecoder(dataMax: number, timeMax: number = decodingMax.heic): Decoder {
  let child: ChildProcess | undefined

  function decodeOnce(pieces: Pieces): Promise<CleanPicture | null | 'killed'> {
    const asked = (child ??= start(dataMax, (gone) => {
      // A process that exits while idle is replaced.
      if (child === gone) child = undefined
    }))
    return new Promise((resolve, reject) => {
      const end = (picture: Answer['picture'] | 'killed', mayStay: boolean) => {
        clearTimeout(timer)
        asked.off('message', hear).off('exit', exit)
        if (!mayStay) {
          asked.kill('SIGKILL')
          if (child === asked) child = undefined
        }
        resolve(
          picture === null || picture === 'killed'
            ? picture
            : { ...picture, bytes: Buffer.from(picture.bytes) },
        )
      }
      const hear = ({ picture, isLast }: Answer) => end(picture, !isLast)
      const fail = () => end(null, false)
      const exit = (_code: number | null, signal: NodeJS.Signals | null) =>
        end(fromOutside.includes(signal) ? 'killed' : null, false)
      const timer = setTimeout(fail, timeMax)
      asked.on('message', hear).on('exit', exit)
      passOn(pieces, asked).catch((error: unknown) => {
        // The picture is broken off inside the process.
        if (error instanceof StoreFailed) {
          reject(error)
          fail()
        } else if (asked.connected) fail()
        // Otherwise the process has ended, and how will be heard next.
      })
    })
  }

  return async (read) => {
    const first = await decodeOnce(read())
    const last = first === 'killed' ? await decodeOnce(read()) : first
    return last === 'killed' ? null : last
  }
}

/** Waits for each piece to be taken, so that they do not pile up here. */
async function passOn(pieces: Pieces, child: ChildProcess): Promise<void> {
  const send = (piece: Buffer | null) =>
    new Promise<void>((resolve, reject) => {
      child.send({ piece } satisfies Asked, (error) => (error ? reject(error) : resolve()))
    })
  for await (const piece of pieces) await send(piece)
  await send(null)
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

import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SECOND } from '#contract/platform/durations.ts'
import { KIB, MIB } from '#contract/platform/fields.ts'
import { StoreFailed } from '../files/store-failed.ts'
import type { Pieces } from '../uploads/receive-uploads.ts'

/**
 * Maximum time per picture, in milliseconds. HEIC is decoded without hardware support (`decode-heic.ts` has its own
 * limit).
 */
const decodingMax = { heic: 25 * SECOND, other: 15 * SECOND }
/**
 * Maximum data memory of the process, in bytes. A HEIC picture of 48 million pixels needs 1,800 MiB by this measure, of
 * which a third is actually touched; any other accepted picture needs at most 1,200 MiB.
 */
const dataMax = 2000 * MIB

export type CleanPicture = { bytes: Buffer; width: number; height: number }
/** Message to the process: the picture piece by piece, then null. */
export type Asked = { piece: Uint8Array | null }
/** Message from the process. */
export type Answer = { picture: { bytes: Uint8Array; width: number; height: number } | null; isLast: boolean }

/**
 * Resolves to null if the picture is broken, needs too much memory or time, or crashes the process. `read` is called
 * again if something else ended the process, because that is not the picture's fault.
 */
type Decoder = (read: () => Pieces) => Promise<CleanPicture | null>

/** Signals sent from outside the process. A crash ends it with others. */
const fromOutside: readonly (NodeJS.Signals | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']

/** Runs work items one after the other. */
type FairQueue = <T>(owner: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs one item at a time. Among waiting owners, the one whose work has taken the least time since the queue was last
 * empty goes first. Owners of slow work thus wait for everyone else, who wait for at most one of their items.
 */
export function makeFairQueue(now: () => number = () => performance.now()): FairQueue {
  const waiting = new Map<string, (() => Promise<void>)[]>()
  const spent = new Map<string, number>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    for (let owner = nextOwner(); owner !== undefined; owner = nextOwner()) {
      const queue = waiting.get(owner)!
      const work = queue.shift()!
      if (queue.length === 0) waiting.delete(owner)
      const begun = now()
      await work()
      spent.set(owner, (spent.get(owner) ?? 0) + now() - begun)
    }
    spent.clear()
    isRunning = false
  }

  function nextOwner(): string | undefined {
    let next: string | undefined
    for (const owner of waiting.keys())
      if (next === undefined || (spent.get(owner) ?? 0) < (spent.get(next) ?? 0)) next = owner
    return next
  }

  return (owner, work) =>
    new Promise((resolve, reject) => {
      const queue = waiting.get(owner) ?? []
      waiting.set(owner, queue)
      queue.push(() => work().then(resolve, reject))
      if (!isRunning) void run()
    })
}

const lanes = {
  heic: { enter: makeFairQueue(), decode: makeDecoder(dataMax, decodingMax.heic) },
  other: { enter: makeFairQueue(), decode: makeDecoder(dataMax, decodingMax.other) },
}

/**
 * Runs `cleanPicture` in a separate process, one picture at a time and fair to the owners. HEIC has a separate process,
 * because it takes ten times as long. `read` is called only when it is the picture's turn and streamed piece by piece,
 * so that waiting pictures need no memory.
 */
export function cleanPictureApart(
  owner: string,
  format: keyof typeof lanes,
  read: () => Pieces,
): Promise<CleanPicture | null> {
  const { enter, decode } = lanes[format]
  return enter(owner, () => decode(read))
}

/**
 * Creates a decoder whose process is limited to `dataMax` bytes of memory, and to `timeMax` milliseconds per picture.
 * Call it for one picture at a time.
 */
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
        // Aborts the picture inside the process.
        if (error instanceof StoreFailed) {
          reject(error)
          fail()
        } else if (asked.connected) fail()
        // Otherwise the process has ended, and its exit event follows.
      })
    })
  }

  return async (read) => {
    const first = await decodeOnce(read())
    const last = first === 'killed' ? await decodeOnce(read()) : first
    return last === 'killed' ? null : last
  }
}

/** Waits until each piece was accepted, so that they don't pile up in memory. */
async function passOn(pieces: Pieces, child: ChildProcess): Promise<void> {
  const send = (piece: Buffer | null) =>
    new Promise<void>((resolve, reject) => {
      child.send({ piece } satisfies Asked, (error) => (error ? reject(error) : resolve()))
    })
  for await (const piece of pieces) await send(piece)
  await send(null)
}

/** Starts the process without settings and secrets. It does not keep the server from exiting. */
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
 * Node can't set resource limits, so a shell sets them (getrlimit(2)) and then executes Node: a maximum of private
 * memory, for V8 and native code alike; and no file writes, so that a picture is never on disk unencrypted, not even in
 * a core dump. Only Linux counts memory this way.
 */
function boundBySystem(dataMax: number, execArgv: string[]) {
  if (process.platform !== 'linux') return { execArgv }
  const limits = `ulimit -c 0; ulimit -f 0; ulimit -d ${Math.floor(dataMax / KIB)}; exec "$0" "$@"`
  return { execPath: '/bin/sh', execArgv: ['-c', limits, process.execPath, ...execArgv] }
}

import { closeSync, constants, openSync, readFileSync, statSync, truncateSync } from 'node:fs'

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
const logBytesMax = 10 * 1024 * 1024

/** Opened for appending, so that the file can be truncated while the server writes to it. */
export function openServerLog(path: string): { handle: number; startsAt: number } {
  cutLongLog(path)
  const handle = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  return { handle, startsAt: statSync(path).size }
}

export const closeServerLog = (handle: number): void => closeSync(handle)

export function cutLongLog(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > logBytesMax) truncateSync(path)
}

/** PostgreSQL's last log line since `startsAt`, preferably a fatal one, without time and process ID. */
export function lastLogLine(path: string, startsAt: number): string {
  const lines = readFileSync(path).subarray(startsAt).toString('utf8').split('\n').filter(Boolean)
  const last = lines.findLast((line) => /(FATAL|PANIC): /.test(line)) ?? lines.at(-1) ?? 'it said nothing'
  return last.replace(/^.*?(?=FATAL: |PANIC: |LOG: )/, '').replace(/\s+/g, ' ')
}

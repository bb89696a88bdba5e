import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

type Command = { program: string; data: string }

/** Process IDs are reused: a live ID counts only if it is a postgres process started on this data directory. */
export function isPostmasterOf(pid: number, data: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false
  try {
    const command = process.platform === 'linux' ? commandFromProc(pid) : commandFromPs(pid)
    return basename(command.program) === 'postgres' && (command.data === data || workingFolder(pid) === data)
  } catch {
    return false
  }
}

/** A process that has ended but was not reaped has an empty command line. */
function commandFromProc(pid: number): Command {
  const [program = '', , data = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  return { program, data }
}

function commandFromPs(pid: number): Command {
  const line = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  const [, program = '', data = ''] = line.match(/^(.*?postgres) -D (.*?) -p \d+/) ?? []
  return { program, data }
}

/** PostgreSQL runs in its data directory; unlike the command line, this follows a moved folder. */
function workingFolder(pid: number): string | null {
  return process.platform === 'linux' ? readlinkSync(`/proc/${pid}/cwd`) : null
}

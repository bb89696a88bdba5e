import { readFileSync } from 'node:fs'
import type { Asked } from '../measuring/generate-load.ts'
import type { System } from './systems.ts'

export type OtherSystem = System & { requestOf(key: string): ((n: number) => Asked) | undefined }

/** A path or a whole request. `{n}` is replaced with a different number each time. */
type Mapping = Record<string, string | Asked>

const withNumber = (text: string, n: number): string => text.replaceAll('{n}', String(n))

export function requestsOf(mapping: Mapping): (key: string) => ((n: number) => Asked) | undefined {
  return (key) => {
    const given = mapping[key]
    if (given === undefined) return undefined
    const whole = typeof given === 'string' ? { path: given } : given
    const text = JSON.stringify(whole)
    return text.includes('{n}') ? (n) => JSON.parse(withNumber(text, n)) as Asked : () => whole
  }
}

/**
 * Another running system, given by its URL and a JSON file: `{"list": "/api/posts?limit=20", "create": {"method":
 * "POST", "path": "/api/posts", "headers": {"authorization": "…"}, "body": "{\"title\": \"Post {n}\"}"}}`. With the ID
 * of its process, its processor time is reported as well.
 */
export function findOther(argument: (name: string) => string | undefined): OtherSystem | undefined {
  const url = argument('url')
  const file = argument('paths')
  if (url === undefined) return undefined
  if (file === undefined) throw new Error('--url needs --paths: a JSON file with a path for each work')
  const mapping = JSON.parse(readFileSync(file, 'utf8')) as Mapping
  const pid = argument('pid')
  return {
    url: new URL(url),
    pids: pid === undefined ? [] : [Number(pid)],
    requestOf: requestsOf(mapping),
    stop: async () => {},
  }
}

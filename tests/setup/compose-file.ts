import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

type Service = {
  name: string
  image: string
  entrypoint?: string[]
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  ports?: string[]
  networks?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[] }
  read_only?: boolean
  cap_drop?: string[]
}

const textOf = (name: string) =>
  readFileSync(new URL(`../../deploy/compose/${name}`, import.meta.url), 'utf8')

/** Reads the lines NAME=value of a settings file. */
export const readSettings = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z_\d]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))

/** Replaces `${NAME}`, `${NAME:-default}`, and `${NAME:?message}`, as Compose does. */
const interpolate = (text: string, settings: Record<string, string>): string =>
  text.replaceAll(/\$\{([A-Z_\d]+)(?::([-?])([^}]*))?\}/g, (_, name: string, how?: string, word?: string) => {
    const value = settings[name] || (how === '-' ? word : undefined)
    if (value === undefined) throw new Error(`${name} isn’t set`)
    return value
  })

/** The services of deploy/compose with the settings of its example, of which some are replaced. */
export function readServices(settings: Record<string, string> = {}): Service[] {
  const all = { ...readSettings(textOf('.env.example')), ...settings }
  const lines = interpolate(textOf('compose.yaml').replaceAll(/^ *#.*$/gm, ''), all)
  const { services } = parse(lines, { merge: true }) as { services: Record<string, Omit<Service, 'name'>> }
  return Object.entries(services).map(([name, service]) => ({ name, ...service }))
}

export const readService = (name: string, settings?: Record<string, string>): Service =>
  readServices(settings).find((service) => service.name === name)!

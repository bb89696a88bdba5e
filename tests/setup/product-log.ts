import Fastify, { type FastifyBaseLogger } from 'fastify'
import { loggerOptions } from '#api/platform/operations/logger.ts'
import type { Config } from '#api/platform/config/config.ts'

export type LogLine = { level: number; msg: string } & Record<string, unknown>

/** The product's own logger, and the lines that it has written. */
export function makeProductLog(logLevel: Config['logLevel'] = 'debug'): {
  log: FastifyBaseLogger
  logger: ReturnType<typeof loggerOptions>
  lines: LogLine[]
  sentences: () => string[]
} {
  const lines: LogLine[] = []
  const logger = {
    ...loggerOptions({ logLevel }),
    stream: { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) },
  }
  return { log: Fastify({ logger }).log, logger, lines, sentences: () => lines.map(({ msg }) => msg) }
}

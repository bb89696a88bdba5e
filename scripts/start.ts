import { buildIfStale } from './build-site.ts'

await buildIfStale()
await import('../server.ts')

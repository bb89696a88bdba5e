import { buildIfStale } from './build-site.ts'

await buildIfStale()

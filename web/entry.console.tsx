// Every page uses this module. In a chunk of its own, it would be the smallest file.
import './kernel/routes/page.ts'
import './kernel/routes/console-pages.ts'
import './kernel/routes/site-addresses.ts'
import { begin } from './hydrate.tsx'
import { ConsoleRoot } from './console/console-root.tsx'

void begin(ConsoleRoot)

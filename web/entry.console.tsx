// Every page calls it: alone it would be the smallest of files.
import './routes/page.ts'
import './routes/console-pages.ts'
import './routes/site-addresses.ts'
import { begin } from './begin.tsx'
import { ConsoleRoot } from './console/console-root.tsx'

void begin(ConsoleRoot)

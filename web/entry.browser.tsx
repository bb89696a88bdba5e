// Every page uses this module. In a chunk of its own, it would be the smallest file.
import './kernel/routes/page.ts'
import './kernel/routes/site-beginning.ts'
import { begin } from './hydrate.tsx'
import { Root } from './root.tsx'

void begin(Root)

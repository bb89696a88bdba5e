// Every page uses it. As a separate chunk, it would be the smallest file.
import './routes/page.ts'
import './routes/site-beginning.ts'
import { begin } from './hydrate.tsx'
import { Root } from './root.tsx'

void begin(Root)

// Every page calls it: alone it would be the smallest of files.
import './routes/page.ts'
import './routes/site-beginning.ts'
import { begin } from './begin.tsx'
import { Root } from './root.tsx'

void begin(Root)
